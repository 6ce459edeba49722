package dev.doyen.spring.test;

import dev.doyen.spring.DoyenAutoConfiguration;
import dev.doyen.spring.ElectionSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Puts {@link FakeElections} in the place of the application's own. Not in effect by itself: a test imports it, by
 * {@link AutoConfigureFakeElections} or by name. A bean of type {@link FakeElections} is used if there is one, so several contexts
 * can take part in the same elections.
 */
@AutoConfiguration(before = DoyenAutoConfiguration.class)
public final class FakeElectionsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FakeElections fakeElections() {
        return new FakeElections();
    }

    /** Before a source that the application may have. */
    @Bean
    @Primary
    ElectionSource fakeElectionSource(FakeElections fakes) {
        return fakes.source();
    }
}
