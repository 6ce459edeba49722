package dev.doyen.cli;

import dev.doyen.elector.http.Urls;
import dev.doyen.hub.server.ServerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;

/** The text that {@code doyen demo} prints at its start: the addresses and what to try. */
final class DemoGreeting {

    private DemoGreeting() {}

    /** The ports on which the demo is served. */
    record ServedPorts(int page, int elector, int probes) {}

    /**
     * Prints the text.
     *
     * @param hasQuorum whether the processes of the quorum demonstration were started
     */
    static void print(
            PrintWriter out, ServerSettings settings, ServedPorts ports, Path dataDirectory, boolean hasQuorum) {
        var page = Urls.root(settings.bind(), ports.page());
        var elector = Urls.root(settings.bind(), ports.elector());
        var probes = Urls.root(settings.bind(), ports.probes());
        out.println("Doyen serves.");
        out.println();
        if (hasQuorum) {
            out.println("  quorum         " + page + "quorum/");
        }
        out.println("  page and hub   " + page);
        out.println("  more pages     " + page + "game/  " + page + "voting/  " + page + "ring/"
                + (hasQuorum || !settings.bind().isLoopbackAddress() ? "" : "  " + page + "quorum/"));
        out.println("  elector API    " + elector);
        out.println("  probes         " + probes + "healthz  " + probes + "readyz");
        out.println("  data           " + dataDirectory.toAbsolutePath());
        out.println();
        if (hasQuorum) {
            out.println("Open " + page + "quorum/ and kill the process that counts: another one counts on.");
        } else {
            out.println(
                    "Open the page in two tabs, then close the one that leads: the other takes over and counts on.");
        }
        out.println("Ask who leads:   curl -s " + elector);
        out.println();
        out.println("ELECTOR_GET_URL=" + elector);
        out.println("ELECTOR_SSE_URL=" + elector + "sse");
        if (!settings.bind().isLoopbackAddress()) {
            out.println();
            out.println("Whoever can reach this address gets the page, and with it the hub's key.");
        }
        out.println();
        out.println("Ctrl-C stops it.");
        out.flush();
    }
}
