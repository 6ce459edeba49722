package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.jmh.CallIsLeader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures with JMH how long isLeader() takes on a leader. Each iteration produces one value. */
final class IsLeader implements Part {

    @Override
    public String name() {
        return "isleader";
    }

    @Override
    public List<Figure> run(Run run) throws Exception {
        // Doyen's isLeader() does not depend on the store, so the part measures Doyen only on PostgreSQL.
        List<Entrant> entrants = run.entrants().stream()
                .filter(each ->
                        !each.isDoyen() || each == Entrant.DOYEN_POSTGRES || each == Entrant.DOYEN_POSTGRES_SESSION)
                .toList();
        Run.print("isLeader(), by JMH, for about a minute");
        var options = new OptionsBuilder()
                .include(CallIsLeader.class.getName())
                .param("entrant", entrants.stream().map(Entrant::name).toArray(String[]::new))
                .forks(2)
                .warmupIterations(2)
                .warmupTime(TimeValue.milliseconds(500))
                .measurementIterations(5)
                .measurementTime(TimeValue.milliseconds(500))
                .jvmArgsAppend(Stream.concat(
                                entrants.stream()
                                        .map(each -> "-D" + CallIsLeader.URL + each.name() + "="
                                                + run.server(each).url()),
                                Stream.of("-Djava.util.logging.config.file="
                                        + System.getProperty("java.util.logging.config.file", "")))
                        .toArray(String[]::new))
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        Collection<RunResult> results = new Runner(options).run();
        List<Figure> figures = new ArrayList<>();
        for (RunResult result : results) {
            BenchmarkParams params = result.getParams();
            List<Double> nanos = result.getBenchmarkResults().stream()
                    .flatMap(fork -> fork.getIterationResults().stream())
                    .map(IterationResult::getPrimaryResult)
                    .map(primary -> primary.getScore())
                    .toList();
            Entrant entrant = Entrant.valueOf(params.getParam("entrant"));
            figures.add(new Figure(name(), "isLeader() of a leader", "ns", entrant, new Sample(nanos)));
        }
        figures.sort((a, b) -> a.entrant().compareTo(b.entrant()));
        return figures;
    }
}
