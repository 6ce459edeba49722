package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

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
            FailureAnalysis analysis = new DoyenFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).as("%s", context.getStartupFailure()).isNotNull();
            as.accept(analysis);
        });
    }
}
