package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.Leadership;
import dev.doyen.testkit.FakeElection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.util.ClassUtils;

/**
 * Tests a context that Spring processes ahead of time, as for a native image.
 *
 * <p>The JVM runs the generated code, and a test checks the hints. The tests build no native image.
 */
@Timeout(180)
class AheadOfTimeTest {

    private static FakeElection fake;

    private final TestGenerationContext generation = new TestGenerationContext(AheadOfTimeTest.class);

    @BeforeEach
    void open() {
        fake = FakeElection.named("orders");
    }

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void methods_called_by_reflection_have_hints() {
        RuntimeHints hints = processed();
        for (String method : new String[] {"elected", "revoked"}) {
            assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Job.class, method))
                    .as(method)
                    .accepts(hints);
        }
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Job.class, "other"))
                .as("other methods need no hint")
                .rejects(hints);
    }

    @Test
    void all_settings_have_hints() {
        RuntimeHints hints = processed();
        for (Class<?> settings : List.of(
                DoyenProperties.class,
                DoyenProperties.Health.class,
                DataSourceSettings.class,
                ElectorSettings.class,
                RingProperties.class,
                ElectionSettings.class,
                ElectionSettings.Health.class)) {
            assertThat(RuntimeHintsPredicates.reflection()
                            .onConstructorInvocation(settings.getDeclaredConstructors()[0]))
                    .as(settings.getName())
                    .accepts(hints);
        }
    }

    @Test
    void the_classes_that_are_called_by_reflection_in_spring_boot_3_have_hints() {
        RuntimeHints hints = processed();
        boolean isBoot3 = ClassUtils.isPresent(HealthOfBoot3.INDICATOR, null);
        assertThat(hints.proxies().jdkProxyHints().anyMatch(hint -> hint.getProxiedInterfaces().stream()
                        .anyMatch(type -> type.getName().equals(HealthOfBoot3.INDICATOR))))
                .isEqualTo(isBoot3);
        for (String type : List.of("HealthIndicator", "Health", "Health$Builder")) {
            assertThat(hints.reflection().typeHints().anyMatch(hint -> hint.getType()
                            .getName()
                            .equals("org.springframework.boot.actuate.health." + type)))
                    .as(type)
                    .isEqualTo(isBoot3);
        }
    }

    /** The generated classes are in the packages of the processed classes, so one class loader must load both. */
    @Test
    @CompileWithForkedClassLoader
    void the_generated_context_intercepts_and_calls_the_methods() {
        processed();
        started(context -> {
            Job job = context.getBean(Job.class);
            assertThat(AopUtils.isCglibProxy(job)).isTrue();
            assertThat(job.text()).isNull();
            fake.grant();
            assertThat(job.text()).isEqualTo("term 2");
            assertThat(poll(context.getBean(Calls.class))).isEqualTo("elected 2");
            fake.loseTo("another");
            assertThat(poll(context.getBean(Calls.class))).isEqualTo("revoked");
        });
    }

    /** Generates the code of the context, and returns the hints for a native image. */
    private RuntimeHints processed() {
        try (var context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("doyen.elections.orders.ttl=10s", "doyen.candidate-id=me")
                    .applyTo(context);
            context.register(
                    DoyenAutoConfiguration.class,
                    DoyenActuatorAutoConfiguration.class,
                    DoyenIntegrationAutoConfiguration.class,
                    Application.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
            return generation.getRuntimeHints();
        }
    }

    /** Compiles the generated code, and starts a context with it. */
    private void started(Consumer<GenericApplicationContext> test) {
        TestCompiler.forSystem().with(generation).compile(compiled -> {
            try (var context = new GenericApplicationContext()) {
                TestPropertyValues.of("doyen.elections.orders.ttl=10s", "doyen.candidate-id=me")
                        .applyTo(context);
                initializer(compiled.getInstance(ApplicationContextInitializer.class)).initialize(context);
                context.refresh();
                test.accept(context);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static ApplicationContextInitializer<GenericApplicationContext> initializer(
            ApplicationContextInitializer<?> generated) {
        return (ApplicationContextInitializer<GenericApplicationContext>) generated;
    }

    private static String poll(Calls calls) {
        try {
            return calls.received.poll(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        ElectionSource electionSource() {
            return new Fakes(fake);
        }

        @Bean
        Calls calls() {
            return new Calls();
        }

        @Bean
        Job job(Calls calls) {
            return new Job(calls);
        }
    }

    static class Calls {
        final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    }

    public static class Job {
        private final Calls calls;

        Job(Calls calls) {
            this.calls = calls;
        }

        @LeaderOnly("orders")
        public String text() {
            return "term " + CurrentLeadership.term();
        }

        @OnElected("orders")
        void elected(Leadership leadership) {
            calls.received.add("elected " + Terms.of(leadership));
        }

        @OnRevoked("orders")
        void revoked() {
            calls.received.add("revoked");
        }

        void other() {}
    }
}
