package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Asserts that the start of an application fails with an expected message. */
final class RefusedStart {

    private RefusedStart() {}

    static void withMessage(String why, ApplicationContextRunner with) {
        analysed(
                analysis -> assertThat(analysis.getDescription() + "; " + analysis.getAction())
                        .contains(why),
                with);
    }

    static void analysed(Consumer<FailureAnalysis> as, ApplicationContextRunner with) {
        with.run(context -> {
            assertThat(context).hasFailed();
            List<FailureAnalysis> analyses = analyzers()
                    .map(analyzer -> analyzer.analyze(context.getStartupFailure()))
                    .filter(Objects::nonNull)
                    .toList();
            assertThat(analyses).as("%s", context.getStartupFailure()).hasSize(1);
            as.accept(analyses.get(0));
        });
    }

    /** Returns Doyen's analyzers, as Spring Boot finds them. */
    private static Stream<FailureAnalyzer> analyzers() {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, (type, name, failure) -> {})
                .stream()
                .filter(analyzer -> analyzer.getClass().getName().startsWith("dev.doyen."));
    }
}
