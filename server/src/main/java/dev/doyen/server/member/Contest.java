package dev.doyen.server.member;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.MembershipSettings;
import dev.doyen.elector.ElectionView;
import dev.doyen.server.MetricsText;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** An election of one {@link Manner}, as it runs in this process. Threads: any may ask. */
public interface Contest {

    /**
     * What can be said of it before there is a membership. To be opened once.
     *
     * @throws IllegalArgumentException if the name or the priority cannot be meant
     */
    MembershipSettings<?> settings(String election, int priority);

    /** When the leader that is named was last heard to lead; not asked of a leader itself. */
    Optional<Instant> lastHeard();

    /** Its own metrics. */
    void tell(MetricsText text);

    /**
     * Its own fields for the console's page.
     *
     * @param election what is known of it; empty before this process is a member
     */
    void show(JsonGenerator json, Optional<ElectionView> election) throws IOException;
}
