package dev.doyen.hub;

import dev.doyen.event.Leader;
import java.util.Map;
import java.util.Optional;

/**
 * A channel as it is shown to people.
 *
 * @param attachments how many subscriptions it has
 * @param members how many are present
 * @param holders who holds which slot, and in which term
 */
public record ChannelView(String name, int attachments, int members, Map<Slot, Leader> holders) {

    public ChannelView {
        holders = Map.copyOf(holders);
    }

    /** Who leads, and in which term. */
    public Optional<Leader> leader() {
        return Optional.ofNullable(holders.get(Slot.LEADER));
    }
}
