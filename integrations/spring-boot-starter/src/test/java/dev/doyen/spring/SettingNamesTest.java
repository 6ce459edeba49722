package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Tests that a mistyped setting stops the start, and that the message names the nearest setting. */
class SettingNamesTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DoyenAutoConfiguration.class))
            .withPropertyValues("doyen.store=memory:" + UUID.randomUUID());

    @ParameterizedTest
    @CsvSource({
        "doyen.elections.nightly.tttl, doyen.elections.nightly.ttl",
        "doyen.elections.nightly.renewEvry, doyen.elections.nightly.renew-every",
        "doyen.elections.nightly.priorty, doyen.elections.nightly.priority",
        "doyen.elections.nightly.health.fall-aftr, doyen.elections.nightly.health.fall-after",
        "doyen.elections[night.ly].tttl, doyen.elections[night.ly].ttl",
        "doyen.datasource.tabel, doyen.datasource.table",
        "doyen.datasource.create_tables, doyen.datasource.create-table"
    })
    void a_mistyped_setting_is_rejected_with_the_nearest_name(String typed, String nearest) {
        RefusedStart.analysed(
                analysis -> {
                    assertThat(analysis.getDescription())
                            .startsWith("doyen.")
                            .contains("is set, by \"" + typed + "\" from property source \"test\"")
                            .endsWith("and is not a setting")
                            .doesNotContain("value");
                    assertThat(analysis.getAction()).isEqualTo("rename it to " + nearest + ", or remove it");
                },
                runner.withPropertyValues(typed + "=value"));
    }

    @Test
    void a_name_without_a_similar_name_is_rejected_with_all_names() {
        RefusedStart.withMessage(
                "remove it, or choose one of ttl, deadline, renew-every, request-timeout,",
                runner.withPropertyValues("doyen.elections.nightly.quartz=x"));
        // Spring takes "a" as the name of the election, because the name is not in brackets.
        RefusedStart.withMessage(
                "doyen.elections.a.b.ttl is set", runner.withPropertyValues("doyen.elections.a.b.ttl=10s"));
    }

    @Test
    void a_mistyped_environment_variable_is_rejected() {
        RefusedStart.withMessage(
                "rename it to doyen.elections.nightly.ttl, or remove it",
                withVariables(Map.of("DOYEN_ELECTIONS_NIGHTLY_TTTL", "10s")));
        // The underscore ends the name of the election, so the variable does not set the ttl of "nightly_job".
        RefusedStart.withMessage(
                "doyen.elections.nightly.job.ttl is set, by \"DOYEN_ELECTIONS_NIGHTLY_JOB_TTL\"",
                withVariables(Map.of("DOYEN_ELECTIONS_NIGHTLY_JOB_TTL", "10s")));
    }

    @Test
    void all_spellings_that_spring_binds_are_accepted() {
        withVariables(Map.of(
                        "DOYEN_ELECTIONS_NIGHTLY_RENEW_EVERY", "1s",
                        "DOYEN_ELECTIONS_NIGHTLY_POLLEVERY", "2s",
                        "DOYEN_ELECTIONS_NIGHTLY_HEALTH_FALL_AFTER", "5"))
                .withPropertyValues(
                        "doyen.elections.nightly.requestTimeout=1500ms",
                        "doyen.elections.nightly.auto_start=false",
                        "doyen.elections[night.ly].TTL=20s")
                .run(context -> {
                    DoyenProperties read = context.getBean(DoyenProperties.class);
                    ElectionSettings nightly = read.election("nightly");
                    assertThat(nightly.renewEvery()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(nightly.pollEvery()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(nightly.health().fallAfter()).isEqualTo(5);
                    assertThat(nightly.requestTimeout()).isEqualTo(Duration.ofMillis(1_500));
                    assertThat(nightly.autoStart()).isFalse();
                    assertThat(read.election("night.ly").ttl()).isEqualTo(Duration.ofSeconds(20));
                });
    }

    @Test
    void the_lists_of_names_are_complete() {
        List<String> ofElection = names("", ElectionSettings.class);
        ofElection.remove("health");
        ofElection.addAll(names("health.", ElectionSettings.Health.class));
        assertThat(SettingNames.OF_AN_ELECTION).containsExactlyElementsOf(ofElection);
        assertThat(SettingNames.OF_A_DATA_SOURCE).containsExactlyElementsOf(names("", DataSourceSettings.class));
        assertThat(SettingNames.OF_A_RING).containsExactlyElementsOf(names("", RingProperties.class));
    }

    private ApplicationContextRunner withVariables(Map<String, Object> variables) {
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
    }

    private static List<String> names(String prefix, Class<? extends Record> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent each : type.getRecordComponents()) {
            names.add(prefix + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
        }
        return names;
    }
}
