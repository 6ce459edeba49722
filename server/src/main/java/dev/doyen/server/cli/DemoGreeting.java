package dev.doyen.server.cli;

import dev.doyen.server.ServerSettings;
import dev.doyen.server.Urls;
import java.io.PrintWriter;
import java.nio.file.Path;

/** What {@code doyen demo} says once it serves: where to look, and what to try. */
final class DemoGreeting {

    private DemoGreeting() {}

    static void print(
            PrintWriter out, ServerSettings settings, int port, int electorPort, int probePort, Path dataDirectory) {
        var page = Urls.root(settings.bind(), port);
        var elector = Urls.root(settings.bind(), electorPort);
        var probes = Urls.root(settings.bind(), probePort);
        out.println("Doyen serves.");
        out.println();
        out.println("  page and hub   " + page);
        out.println("  more pages     " + page + "game/  " + page + "voting/  " + page + "ring/");
        out.println("  elector API    " + elector);
        out.println("  probes         " + probes + "healthz  " + probes + "readyz");
        out.println("  data           " + dataDirectory.toAbsolutePath());
        out.println();
        out.println("Open the page in two tabs, then close the one that leads: the other takes over and counts on.");
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
