package dev.doyen.spring;

import dev.doyen.store.LeaseStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Configures the elections and the annotated methods of an application. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            // The names of the same classes in Spring Boot 3.
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@EnableConfigurationProperties(DoyenProperties.class)
public final class DoyenAutoConfiguration {

    /** The name of the bean that opens the elections. */
    static final String SOURCE = "doyenElectionSource";

    @Bean(SOURCE)
    @ConditionalOnMissingBean
    ElectionSource doyenElectionSource(
            DoyenProperties properties,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<BuildProperties> builds,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        String process = candidateId(properties, environment);
        return new SourceChoice(properties, beans, environment, process)
                .source(() -> new LeaseElectionSource(
                        () -> StoreOpening.open(properties, stores.getIfAvailable(), beans),
                        properties.session(),
                        process,
                        generation(properties, builds),
                        name -> HealthBeans.find(name, beans)));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    LeaderElections doyenLeaderElections(
            DoyenProperties properties,
            ElectionSource source,
            ObjectProvider<CandidateObserver> observers,
            ApplicationEventPublisher publisher,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        SettingNames.check(environment);
        return new LeaderElections(
                properties,
                candidateId(properties, environment),
                source,
                observers.orderedStream().toList(),
                publisher,
                name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                Binder.get(environment)
                        .bind(LeaderElections.PATIENCE, Duration.class)
                        .orElse(Duration.ofSeconds(30)));
    }

    @Bean
    SmartInitializingSingleton doyenLeaderMethods(ConfigurableListableBeanFactory beans, LeaderElections elections) {
        return new LeaderMethods(beans, elections)::find;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyPostProcessor doyenLeaderOnlyPostProcessor(
            ObjectProvider<LeaderElections> elections, Environment environment) {
        boolean classes = environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true);
        return new LeaderOnlyPostProcessor(() -> elections.getObject()::gate, classes);
    }

    /** Returns the configured generation, otherwise the build time in seconds, or 0 if it is unknown (rule M8). */
    private static long generation(DoyenProperties properties, ObjectProvider<BuildProperties> builds) {
        Long set = properties.generation();
        if (set != null) {
            return set;
        }
        BuildProperties build = builds.getIfUnique();
        Instant built = build == null ? null : build.getTime();
        return built == null ? 0 : Math.max(0, built.getEpochSecond());
    }

    private static String candidateId(DoyenProperties properties, Environment environment) {
        String set = properties.candidateId();
        if (set != null) {
            return set;
        }
        String application = environment.getProperty("spring.application.name", "");
        return (application.isEmpty() ? "" : application + "@") + host() + "/"
                + ProcessHandle.current().pid();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}
