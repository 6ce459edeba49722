package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Leadership;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Tests a context that Spring processes ahead of time, as for a native image. */
class AheadOfTimeTest {

    @Test
    void methods_called_by_reflection_have_hints() {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.register(DoyenAutoConfiguration.class, Job.class);
            var generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            RuntimeHints hints = generation.getRuntimeHints();
            for (String method : new String[] {"elected", "revoked"}) {
                assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Job.class, method))
                        .as(method)
                        .accepts(hints);
            }
            assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Job.class, "other"))
                    .as("other methods need no hint")
                    .rejects(hints);
        }
    }

    public static class Job {
        @OnElected("orders")
        void elected(Leadership leadership) {}

        @OnRevoked("orders")
        void revoked() {}

        void other() {}
    }
}
