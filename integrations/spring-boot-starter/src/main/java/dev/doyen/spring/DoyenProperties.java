package dev.doyen.spring;

import dev.doyen.election.Priority;
import dev.doyen.text.ElectionNames;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code doyen.}.
 *
 * @param enabled Whether this application campaigns in elections. If false, the application never leads, and
 *     LeaderOnly methods are skipped.
 * @param candidateId The candidate's name, which other participants see. The default consists of the application's
 *     name, the host's name and the process id.
 * @param store The URL of the store, such as jdbc:postgresql://db/app, redis://host or kubernetes:. Use datasource:
 *     for the application's own DataSource, or datasource:NAME for the bean of that name. The setting is not required
 *     if the context has a bean of type LeaseStore.
 * @param datasource The settings of a store that uses the application's own DataSource.
 * @param failFast Whether the start of the application fails if the store is unavailable. If false, the application
 *     starts, leads no election, and joins its elections when the store answers.
 * @param elector The settings of an elector that decides the elections, instead of a store.
 * @param ring The settings of elections on a ring, instead of a store.
 * @param session Whether elections with the same settings share one session. A shared session causes only as many store
 *     calls as one election, but if it is lost, this application loses the leadership of all these elections.
 * @param generation The number of this application's release, 0 to 9007199254740991. A healthy candidate asks a leader
 *     of a lower generation to hand over. By default the build time in seconds since 1970, if the context has a bean of
 *     type BuildProperties; otherwise 0.
 * @param elections The settings of the elections, by name. An election that occurs only in an annotation has the
 *     default settings.
 * @param health The condition under which the health endpoint reports DOWN.
 */
@ConfigurationProperties("doyen")
public record DoyenProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String candidateId,
        @Nullable String store,
        @NestedConfigurationProperty @DefaultValue DataSourceSettings datasource,
        @DefaultValue("false") boolean failFast,
        @NestedConfigurationProperty @DefaultValue ElectorSettings elector,
        @NestedConfigurationProperty @DefaultValue RingProperties ring,
        @DefaultValue("own") Session session,
        @Nullable Long generation,
        @DefaultValue Map<String, ElectionSettings> elections,
        @DefaultValue Health health) {

    /** The way in which elections renew their leases. */
    public enum Session {
        /** Each election renews its own lease. */
        OWN,
        /** All elections with the same settings renew one session (rule L12). */
        SHARED
    }

    public DoyenProperties {
        if (candidateId != null) {
            Refusals.under("doyen.candidate-id", () -> ElectionNames.check("candidate id", candidateId));
        }
        if (generation != null) {
            Refusals.under("doyen.generation", () -> Priority.DEFAULT.withGeneration(generation));
        }
        elections.keySet().forEach(name -> Refusals.under("doyen.elections", () -> ElectionNames.checkElection(name)));
        elections = Map.copyOf(elections);
    }

    /** Returns the settings of this election, or the default settings if none are configured. */
    ElectionSettings election(String name) {
        ElectionSettings set = elections.get(name);
        return set == null ? ElectionSettings.DEFAULT : set;
    }

    /**
     * The settings for the health of the elections' store or elector. A change of the leader does not affect the
     * health.
     *
     * @param storeUnavailableAfter How long the store or the elector may be unavailable before the health is DOWN. 1
     *     s to 1 h.
     */
    public record Health(@DefaultValue("30s") Duration storeUnavailableAfter) {

        private static final Duration LEAST = Duration.ofSeconds(1);
        private static final Duration MOST = Duration.ofHours(1);

        public Health {
            if (storeUnavailableAfter.compareTo(LEAST) < 0 || storeUnavailableAfter.compareTo(MOST) > 0) {
                throw new DoyenRefusedException(
                        "doyen.health.store-unavailable-after is " + storeUnavailableAfter.toMillis()
                                + " ms; choose 1 s to 1 h, best a few ttls of the elections");
            }
        }
    }
}
