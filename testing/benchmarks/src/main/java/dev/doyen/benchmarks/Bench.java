package dev.doyen.benchmarks;

import dev.doyen.benchmarks.server.Servers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs all parts of the benchmark, or the named parts, and writes the report.
 *
 * <p>The program prints the report to standard output as Markdown, and writes the report to a file as JSON.
 */
final class Bench {

    /**
     * All parts in the order in which they run. The part for the stores is first. The other parts start servers that
     * run until the end of the benchmark, and these servers would affect the results for the stores.
     */
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
     * @param args the path of the JSON file, followed by the names of the parts; without names, all parts run
     */
    public static void main(String[] args) throws Exception {
        List<String> requested = List.of(args).subList(1, args.length);
        List<String> known = PARTS.stream().map(Part::name).toList();
        for (String name : requested) {
            if (!known.contains(name)) {
                System.err.println("bench: unknown part \"" + name + "\"; the parts are " + String.join(", ", known));
                System.exit(2);
            }
        }
        Map<String, String> facts = Machine.facts();
        String command = "./dev bench" + (requested.isEmpty() ? "" : " " + String.join(" ", requested));
        Path json = Path.of(args[0]);
        List<Figure> figures = new ArrayList<>();
        boolean failed;
        try (var servers = new Servers()) {
            var run = new Run(servers);
            facts.put("ttl, session timeout or lease of every system", "3 s; with 1,000 elections and more 10 s");
            for (Part part : PARTS) {
                if (requested.isEmpty() || requested.contains(part.name())) {
                    try {
                        figures.addAll(part.run(run));
                    } catch (Exception e) {
                        run.failed("the part " + part.name(), e);
                    }
                    facts.put("servers", run.versions());
                    // The file is written after each part. So an aborted run also has results.
                    new Report(facts, command, List.copyOf(figures), run.remarks()).writeJson(json);
                }
            }
            failed = run.hasFailed();
            System.out.println(new Report(facts, command, List.copyOf(figures), run.remarks()).markdown());
        }
        System.exit(failed ? 1 : 0);
    }
}
