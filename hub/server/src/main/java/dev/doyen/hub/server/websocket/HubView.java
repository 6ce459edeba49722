package dev.doyen.hub.server.websocket;

import dev.doyen.hub.HubCounts;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import java.util.List;

/** Read access to the hub. Only the hub's thread may call the methods, during the call that passed this object. */
public interface HubView {

    /** Returns the numbers of connections, channels and members. */
    HubCounts counts();

    /** Returns the existing channels, with the oldest channel first. */
    List<ChannelView> channels();

    /** Returns the first {@code limit} members of a channel. The list is empty if the channel does not exist. */
    List<MemberView> members(String channel, int limit);

    /**
     * Returns true if the bearer of this {@code Authorization} header may administer at least one channel.
     *
     * @param address the remote address, whose failed attempts are rate-limited
     */
    boolean mayAdminister(String authorization, String address);
}
