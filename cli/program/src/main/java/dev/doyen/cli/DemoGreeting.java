package dev.doyen.cli;

import dev.doyen.elector.http.Urls;
import dev.doyen.hub.server.ServerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Prints the text with which {@code doyen demo} starts: its addresses and suggestions for first steps. */
final class DemoGreeting {

    private DemoGreeting() {}

    /** The ports on which the demo is served. */
    record ServedPorts(int page, int elector, int probes) {}

    /**
     * Prints the text.
     *
     * @param hasQuorum true if the processes of the quorum demonstration were started
     * @param fragment the fragment that gives the admin key to the console and the quorum demonstration
     */
    static void print(
            PrintWriter out,
            ServerSettings settings,
            ServedPorts ports,
            Path dataDirectory,
            boolean hasQuorum,
            String fragment) {
        var page = Urls.root("http", settings.bind(), ports.page());
        var elector = Urls.root("http", settings.bind(), ports.elector());
        var probes = Urls.root("http", settings.bind(), ports.probes());
        out.println("Doyen serves.");
        out.println();
        if (hasQuorum) {
            out.println("  quorum         " + page + "quorum/" + fragment);
        }
        out.println("  page and hub   " + page);
        out.println("  more pages     " + page + "game/  " + page + "voting/  " + page + "ring/"
                + (hasQuorum || !settings.bind().isLoopbackAddress() ? "" : "  " + page + "quorum/" + fragment));
        out.println("  console        " + page + "console/" + fragment);
        out.println("  elector API    " + elector);
        out.println("  probes         " + probes + "healthz  " + probes + "readyz  " + probes + "metrics");
        out.println("  data           " + dataDirectory.toAbsolutePath());
        out.println();
        if (hasQuorum) {
            out.println("Open " + page + "quorum/" + fragment
                    + " and kill the process that counts: another one counts on.");
        } else {
            out.println(
                    "Open the page in two tabs, then close the one that leads: the other takes over and counts on.");
        }
        out.println("Get the leader:  curl -s " + elector);
        out.println();
        out.println("ELECTOR_GET_URL=" + elector);
        out.println("ELECTOR_SSE_URL=" + elector + "sse");
        if (!settings.bind().isLoopbackAddress()) {
            out.println();
            out.println(
                    "Everyone who can reach this address receives the page, and a token with which the page can lead"
                            + " its channels.");
        }
        out.println();
        out.println("Ctrl-C stops it.");
        out.flush();
    }
}
