package dev.doyen.spring.test;

import dev.doyen.spring.DoyenAutoConfiguration;
import dev.doyen.spring.ElectionSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Replaces the application's elections with {@link FakeElections}.
 *
 * <p>A test must import this configuration, either with {@link AutoConfigureFakeElections} or by name. The
 * configuration uses an existing bean of type {@link FakeElections}, so several contexts can join the same elections.
 */
@AutoConfiguration(before = DoyenAutoConfiguration.class)
public final class FakeElectionsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FakeElections fakeElections() {
        return new FakeElections();
    }

    /** Returns the source of the fake elections. It takes precedence over the application's own source. */
    @Bean
    @Primary
    ElectionSource fakeElectionSource(FakeElections fakes) {
        return fakes.source();
    }
}
