package dev.doyen.server.websocket;

import dev.doyen.hub.ChannelView;
import dev.doyen.hub.MemberView;
import java.util.List;

/** The hub, to look at. Threads: the hub's, for as long as it was lent. */
public interface HubLook {

    /** How many connections there are, those without a socket included. */
    int connections();

    /** The channels there are just now, oldest first. */
    List<ChannelView> channels();

    /** A channel's first members, at most this many. */
    List<MemberView> members(String channel, int limit);

    /**
     * Whether this {@code Authorization} header allows its bearer to administer some channel.
     *
     * @param address where it came from; guesses from there are limited
     */
    boolean mayAdminister(String authorization, String address);
}
