package dev.doyen.benchmarks;

import dev.doyen.benchmarks.server.Servers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs all parts, or those named, and reports: Markdown to standard output, JSON to the file given first. */
final class Bench {

    /** The stores come first, because servers of later parts go on running. */
    private static final List<Part> PARTS = List.of(
            new Stores(Stores.ENTRANTS, Stores.Rounds.FULL),
            new HandOver(),
            new Crash(),
            new Idle(),
            new IsLeader(),
            new Thousand(),
            new HundredThousand());

    private Bench() {}

    /** {@code args}: the file for the JSON, then names of parts, none for all. */
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
                    // After each part, so that a run that is broken off leaves what it has.
                    new Report(facts, command, List.copyOf(figures), run.remarks()).writeJson(json);
                }
            }
            failed = run.hasFailed();
            System.out.println(new Report(facts, command, List.copyOf(figures), run.remarks()).markdown());
        }
        System.exit(failed ? 1 : 0);
    }
}
