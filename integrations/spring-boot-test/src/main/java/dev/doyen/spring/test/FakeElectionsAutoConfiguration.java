package dev.doyen.spring.test;

import dev.doyen.spring.DoyenAutoConfiguration;
import dev.doyen.spring.ElectionSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Replaces the application's elections by {@link FakeElections}.
 *
 * <p>A test must import it, with {@link AutoConfigureFakeElections} or by name. It uses a bean of type
 * {@link FakeElections} if there is one, so that several contexts can take part in the same elections.
 */
@AutoConfiguration(before = DoyenAutoConfiguration.class)
public final class FakeElectionsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FakeElections fakeElections() {
        return new FakeElections();
    }

    /** Takes precedence over a source of the application. */
    @Bean
    @Primary
    ElectionSource fakeElectionSource(FakeElections fakes) {
        return fakes.source();
    }
}
