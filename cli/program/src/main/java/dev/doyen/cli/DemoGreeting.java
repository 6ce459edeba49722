package dev.doyen.cli;

import dev.doyen.demo.QrDrawing;
import dev.doyen.elector.http.Urls;
import dev.doyen.hub.server.ServerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Help.Ansi;

/** Prints the text with which {@code doyen demo} starts: its addresses and suggestions for first steps. */
final class DemoGreeting {

    private DemoGreeting() {}

    /**
     * The ports of the demo on this machine, and the URL for other machines.
     *
     * @param sharedUrl the URL of the pages for other machines; empty without {@code --share}
     */
    record Served(int page, int elector, int probes, Optional<String> sharedUrl) {}

    /**
     * Prints the text.
     *
     * @param hasQuorum true if the processes of the quorum demonstration were started
     * @param fragment the fragment that gives the admin key to the console and the quorum demonstration
     */
    static void print(
            PrintWriter out,
            ServerSettings settings,
            Served ports,
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
        ports.sharedUrl().ifPresent(url -> out.println("  other machines " + url));
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
        ports.sharedUrl().ifPresent(url -> {
            out.println();
            out.print(QrDrawing.of(url).lines(Ansi.AUTO.enabled()));
            out.println("Scan the code with a phone in the same network, or open " + url + " there.");
            out.println(
                    "Everyone in this network can open the pages. The pages get tokens with which they can lead only"
                            + " their own channels. Admin commands work only on this machine.");
        });
        out.println();
        out.println("Ctrl-C stops it.");
        out.flush();
    }
}
