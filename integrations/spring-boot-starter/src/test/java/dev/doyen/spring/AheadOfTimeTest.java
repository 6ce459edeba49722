package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.jvms.JvmProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

/**
 * Tests an application that Spring processes ahead of time, as for a native image.
 *
 * <p>A JVM runs the generated code, and the tests check the hints. The tests build no native image.
 */
@Timeout(300)
class AheadOfTimeTest {

    @Test
    void the_generated_code_calls_and_intercepts_the_methods(@TempDir Path folder) throws Exception {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path sources = Files.createDirectory(folder.resolve("sources"));
        SpringApplicationAotProcessor.main(new String[] {
            AheadOfTimeApplication.class.getName(),
            sources.toString(),
            folder.resolve("resources").toString(),
            classes.toString(),
            "dev.doyen",
            "test",
            "--doyen.elections.orders.ttl=20s"
        });
        compile(sources, classes);

        assertThat(run(classes, "-Dspring.aot.enabled=true", "--doyen.elections.orders.ttl=20s"))
                .contains("Starting AOT-processed AheadOfTimeApplication")
                .containsSubsequence(
                        "proxied: true",
                        "as a follower: null",
                        "as the leader: term 2",
                        "called: elected in term 2",
                        "called: revoked",
                        "ttl: 20");
    }

    @Test
    void methods_called_by_reflection_have_hints() {
        TypeHint listeners = hints().reflection().getTypeHint(AheadOfTimeApplication.Listeners.class);
        assertThat(listeners.methods().filter(method -> method.getMode() == ExecutableMode.INVOKE))
                .as("other methods need no hint")
                .extracting(ExecutableHint::getName)
                .containsExactlyInAnyOrder("elected", "revoked");
    }

    @Test
    void all_settings_have_hints() {
        RuntimeHints hints = hints();
        for (Class<?> settings : List.of(
                DoyenProperties.class,
                DoyenProperties.Health.class,
                DataSourceSettings.class,
                ElectorSettings.class,
                RingProperties.class,
                ElectionSettings.class,
                ElectionSettings.Health.class)) {
            assertThat(hints.reflection().getTypeHint(settings).constructors())
                    .as(settings.getName())
                    .anyMatch(constructor -> constructor.getMode() == ExecutableMode.INVOKE);
        }
    }

    @Test
    void the_classes_of_spring_boot_3_that_are_called_by_reflection_have_hints() {
        RuntimeHints hints = hints();
        boolean isBoot3 = ClassUtils.isPresent(HealthOfBoot3.INDICATOR, null);
        assertThat(hints.proxies()
                        .jdkProxyHints()
                        .anyMatch(hint -> hint.getProxiedInterfaces().stream()
                                .anyMatch(type -> type.getName().equals(HealthOfBoot3.INDICATOR))))
                .isEqualTo(isBoot3);
        for (String type : List.of("HealthIndicator", "Health", "Health$Builder")) {
            assertThat(hints.reflection()
                            .typeHints()
                            .anyMatch(hint ->
                                    hint.getType().getName().equals("org.springframework.boot.actuate.health." + type)))
                    .as(type)
                    .isEqualTo(isBoot3);
        }
    }

    private static RuntimeHints hints() {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.register(AheadOfTimeApplication.class);
            var generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("the generated code compiles")
                .isZero();
    }

    private static String run(Path classes, String option, String argument) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(JvmProcess.java(
                        option,
                        "-cp",
                        classes + System.getProperty("path.separator") + System.getProperty("java.class.path"),
                        AheadOfTimeApplication.class.getName(),
                        argument))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
