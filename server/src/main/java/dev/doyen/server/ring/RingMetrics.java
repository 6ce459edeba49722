package dev.doyen.server.ring;

import dev.doyen.driver.RingTally;
import dev.doyen.elector.ElectionView;
import dev.doyen.ring.RingEffect;
import dev.doyen.server.MetricsText;
import dev.doyen.server.sidecar.Tally;
import java.util.Locale;
import java.util.Optional;

/** The metrics of a process on a ring, for Prometheus. */
final class RingMetrics {

    private RingMetrics() {}

    /**
     * Everything there is to tell.
     *
     * @param id the own candidate
     * @param view what is known; empty before this process is a member
     * @param members how many are in the view that is installed
     * @param ring what was sent and dropped
     * @param streams how many event streams are open
     */
    static String of(
            String election,
            String id,
            Optional<ElectionView> view,
            Tally tally,
            int members,
            RingTally ring,
            int streams) {
        var text = new MetricsText(election);
        text.candidate(id, view, tally.won(), tally.lost());
        text.leaders(view, tally.transitions(), tally.leaderlessNanos());
        text.single("doyen_ring_members", "gauge", "processes in the view, this one included", members);
        String sent = "doyen_ring_messages_sent_total";
        text.describe(sent, "counter", "messages of the ring that this process sent, by kind");
        text.value(sent, "kind=\"contest\"", ring.contestSent());
        text.value(sent, "kind=\"lap\"", ring.lapsSent());
        text.value(sent, "kind=\"nack\"", ring.nacksSent());
        text.value(sent, "kind=\"yield\"", ring.yieldsSent());
        String dropped = "doyen_ring_messages_dropped_total";
        text.describe(dropped, "counter", "messages of the ring that came and had no place there, by reason");
        for (RingEffect.Why why : RingEffect.Why.values()) {
            text.value(dropped, "reason=\"" + why.name().toLowerCase(Locale.ROOT) + "\"", ring.dropped(why));
        }
        text.single("doyen_event_streams", "gauge", "event streams open now", streams);
        return text.toString();
    }
}
