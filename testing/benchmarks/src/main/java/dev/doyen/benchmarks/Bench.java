package dev.doyen.benchmarks;

import dev.doyen.benchmarks.server.Servers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs all parts of the benchmark, or the named ones, and writes the report.
 *
 * <p>It prints the report to standard output as Markdown, and writes it to a file as JSON.
 */
final class Bench {

    /** All parts in their order. The stores come first, because the servers of later parts keep running. */
    private static final List<Part> PARTS = List.of(
            new Stores(Stores.ENTRANTS, Stores.Rounds.FULL),
            new HandOver(),
            new Crash(),
            new Idle(),
            new IsLeader(),
            new Thousand(),
            new HundredThousand());

    private Bench() {}

    /**
     * Runs the benchmark.
     *
     * @param args the file for the JSON, then the names of parts; all parts if none is named
     */
    public static void main(String[] args) throws Exception {
        List<String> wanted = List.of(args).subList(1, args.length);
        List<String> known = PARTS.stream().map(Part::name).toList();
        for (String name : wanted) {
            if (!known.contains(name)) {
                System.err.println("bench: there is no part \"" + name + "\"; there are " + String.join(", ", known));
                System.exit(2);
            }
        }
        Map<String, String> facts = Machine.facts();
        String command = "./dev bench" + (wanted.isEmpty() ? "" : " " + String.join(" ", wanted));
        Path json = Path.of(args[0]);
        List<Figure> figures = new ArrayList<>();
        boolean failed;
        try (var servers = new Servers()) {
            var run = new Run(servers);
            facts.put("ttl, session timeout or lease of every system", "3 s; with 1,000 elections and more 10 s");
            for (Part part : PARTS) {
                if (wanted.isEmpty() || wanted.contains(part.name())) {
                    try {
                        figures.addAll(part.run(run));
                    } catch (Exception e) {
                        run.failed("the part " + part.name(), e);
                    }
                    facts.put("servers", run.versions());
                    // Write after each part, so that an aborted run leaves its results.
                    new Report(facts, command, List.copyOf(figures), run.remarks()).writeJson(json);
                }
            }
            failed = run.hasFailed();
            System.out.println(new Report(facts, command, List.copyOf(figures), run.remarks()).markdown());
        }
        System.exit(failed ? 1 : 0);
    }
}
