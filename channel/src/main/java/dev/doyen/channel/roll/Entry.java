package dev.doyen.channel.roll;

import dev.doyen.membership.Member;
import java.util.Optional;

/**
 * One entry of the channel's presence set.
 *
 * @param key unique in the set
 * @param member empty for who is present and takes no part
 * @param since the hub's time of the entry, in milliseconds
 */
public record Entry(String key, Optional<Member> member, long since) {}
