package dev.doyen.spring;

import dev.doyen.store.ElectionNames;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is set under {@code doyen.}.
 *
 * @param enabled Whether this application stands in elections. If not, it never leads, and methods with LeaderOnly are skipped.
 * @param candidateId The name that others see. By default the application's name, the host's and the process id.
 * @param store Where leases are kept, by URL, such as jdbc:postgresql://db/app, redis://host or kubernetes:; or datasource: for
 *     the application's own DataSource, datasource:NAME for the bean of that name. Not needed if there is a bean of type
 *     LeaseStore.
 * @param elector The elector beside this application, in the place of a store.
 * @param ring Elections on a ring, in the place of a store.
 * @param session Whether elections with the same settings share one session, which costs the store as much as one election but
 *     loses all of them at once.
 * @param elections The elections by name. One that is only named in an annotation has the defaults.
 * @param health When the health endpoint complains.
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

    /** How elections pay for their liveness. */
    public enum Session {
        /** Each election renews its own lease. */
        OWN,
        /** One session is renewed for all elections with the same settings (rule L12). */
        SHARED
    }

    public DoyenProperties {
        if (candidateId != null) {
            Refusals.under("doyen.candidate-id", () -> ElectionNames.check("candidate id", candidateId));
        }
        elections.keySet().forEach(name -> Refusals.under("doyen.elections", () -> ElectionNames.checkElection(name)));
        elections = Map.copyOf(elections);
    }

    /** The settings of this election: the defaults, if none are given. */
    ElectionSettings election(String name) {
        ElectionSettings set = elections.get(name);
        return set == null ? ElectionSettings.DEFAULT : set;
    }

    /**
     * The health of the elections' store, or elector. Leading or following makes no difference to it.
     *
     * @param storeAwayAfter How long the store or the elector may give no answer before the health is DOWN. 1 s to 1 h.
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
