package dev.doyen.hub.server.websocket;

import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import java.util.List;

/** Read access to the hub. Threads: the hub's, and only during the call that passed this object. */
public interface HubView {

    /** The number of connections, including those without a socket. */
    int connections();

    /** The channels that exist now, oldest first. */
    List<ChannelView> channels();

    /** The first members of a channel, at most {@code limit}. */
    List<MemberView> members(String channel, int limit);

    /**
     * Whether this {@code Authorization} header allows its bearer to administer any channel.
     *
     * @param address the remote address; failed attempts from it are rate-limited
     */
    boolean mayAdminister(String authorization, String address);
}
