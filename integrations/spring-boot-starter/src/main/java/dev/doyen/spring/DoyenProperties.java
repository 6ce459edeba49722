package dev.doyen.spring;

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
 * @param enabled Whether this application campaigns in elections. If false, it never leads, and LeaderOnly methods are
 *     skipped.
 * @param candidateId The candidate's name, which other participants see. The default consists of the application's
 *     name, the host's name and the process id.
 * @param store The URL of the store, such as jdbc:postgresql://db/app, redis://host or kubernetes:. Use datasource: for
 *     the application's own DataSource, or datasource:NAME for the bean of that name. Not needed if there is a bean of
 *     type LeaseStore.
 * @param elector The elector beside this application, instead of a store.
 * @param ring Elections on a ring, instead of a store.
 * @param session Whether elections with the same settings share one session. A shared session costs the store as much
 *     as one election, but all elections are lost together.
 * @param elections The elections by name. An election that only an annotation names has the default settings.
 * @param health When the health endpoint reports DOWN.
 */
@ConfigurationProperties("doyen")
public record DoyenProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String candidateId,
        @Nullable String store,
        @NestedConfigurationProperty @DefaultValue ElectorSettings elector,
        @NestedConfigurationProperty @DefaultValue RingProperties ring,
        @DefaultValue("own") Session session,
        @DefaultValue Map<String, ElectionSettings> elections,
        @DefaultValue Health health) {

    /** How elections renew their leases. */
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
        elections.keySet().forEach(name -> Refusals.under("doyen.elections", () -> ElectionNames.checkElection(name)));
        elections = Map.copyOf(elections);
    }

    /** Returns the settings of this election, or the defaults. */
    ElectionSettings election(String name) {
        ElectionSettings set = elections.get(name);
        return set == null ? ElectionSettings.DEFAULT : set;
    }

    /**
     * The health of the elections' store or elector. It does not depend on who leads.
     *
     * @param storeAwayAfter How long the store or the elector may be unavailable before health is DOWN. 1 s to 1 h.
     */
    public record Health(@DefaultValue("30s") Duration storeAwayAfter) {

        private static final Duration LEAST = Duration.ofSeconds(1);
        private static final Duration MOST = Duration.ofHours(1);

        public Health {
            if (storeAwayAfter.compareTo(LEAST) < 0 || storeAwayAfter.compareTo(MOST) > 0) {
                throw new DoyenRefusedException("doyen.health.store-away-after is " + storeAwayAfter.toMillis()
                        + " ms; choose 1 s to 1 h, best a few ttls of the elections");
            }
        }
    }
}
