package dev.doyen.channel.roll;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RollCall} knows between two steps. Only the machine changes it.
 *
 * @param say how often a member says something, at the least
 * @param overlay what was heard while a sync was under way; empty in place of an entry that went
 * @param latest the hub's latest time in anything that was heard
 * @param echoSaidAtNanos when this member said what last came back to it; empty if nothing did since the last sync
 * @param heardAtNanos when each member was heard
 * @param unheard those that were there when the last sync was complete, and were not heard since
 * @param used the creators of the views that were installed under the present number
 * @param sayAtNanos when it is to say something; means nothing without a view
 */
public record RollState(
        Member me,
        Duration say,
        boolean connected,
        boolean synced,
        Map<String, Entry> entries,
        Map<String, Optional<Entry>> overlay,
        long latest,
        OptionalLong echoSaidAtNanos,
        Map<Member, Long> heardAtNanos,
        Set<Member> unheard,
        Set<Member> silent,
        @Nullable View view,
        List<String> used,
        OptionalLong installAtNanos,
        long sayAtNanos) {

    /**
     * Returns how long at most a silent member stays in the view, if it has at most 20 members.
     *
     * @param say how often a member says something, at the least
     */
    public static Duration silence(Duration say) {
        return say.multipliedBy(RollCall.SILENCE).plus(RollCall.SETTLE);
    }

    /** Before anything was heard. */
    public static RollState begin(Member me, Duration say) {
        return new RollState(
                me,
                say,
                false,
                false,
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                0,
                OptionalLong.empty(),
                new LinkedHashMap<>(),
                Set.of(),
                Set.of(),
                null,
                List.of(),
                OptionalLong.empty(),
                0);
    }
}
