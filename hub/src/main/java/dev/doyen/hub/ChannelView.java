package dev.doyen.hub;

import dev.doyen.event.Leader;
import java.util.Optional;

/**
 * A channel as it is shown to people.
 *
 * @param attachments how many subscriptions it has
 * @param members how many are present
 * @param leader who holds its claim, and in which term
 */
public record ChannelView(String name, int attachments, int members, Optional<Leader> leader) {}
