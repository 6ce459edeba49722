package dev.doyen.hub.connection;

import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.channel.PendingSync;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends the presence set of a channel to one attachment, in pages.
 *
 * <p>The last page has an empty cursor. Every page contains a list of members, even if the list is empty. SDKs wait
 * forever if the cursor or a list is missing.
 *
 * <p>The hub pauses when the pages that the socket has not taken reach twice the maximum size of a page. The hub
 * continues when the socket has taken all frames. So a presence set of any size fits into the outbound queue of a
 * session. A page contains the members as they are when the hub sends the page. The client receives all later changes
 * as events.
 */
public final class Syncs {

    private static final int MAX_MEMBERS_PER_PAGE = 100;
    /** An upper estimate of a member's size without its data and extras, in bytes. */
    private static final int MEMBER_OVERHEAD_BYTES = 1_024;

    private final Channels channels;
    private final int maxPageBytes;
    private final int maxBytesUnderWay;
    private long begun;

    public Syncs(HubSettings settings, Channels channels) {
        this.channels = channels;
        // Use only half of the frame size, because escaped quotes and base64 make the encoded data longer.
        this.maxPageBytes = settings.maxFrameBytes() / 2;
        this.maxBytesUnderWay = 2 * maxPageBytes;
    }

    /** Starts to send the presence set. The new SYNC replaces an unfinished SYNC of the same attachment. */
    void send(StepContext step, Attachment attachment) {
        attachment.sync = new PendingSync("s" + begun++, channels.lastEntered());
        proceed(step, attachment.connection);
    }

    /** Sends further pages after the socket has taken all earlier frames. */
    public void flushed(StepContext step, Connection connection) {
        connection.syncProgress.flushed();
        proceed(step, connection);
    }

    private void proceed(StepContext step, Connection connection) {
        for (Attachment attachment : connection.attachments.values()) {
            while (attachment.sync != null) {
                if (connection.syncProgress.bytesUnderWay() >= maxBytesUnderWay) {
                    awaitFlush(step, connection);
                    return;
                }
                sendPage(step, attachment, attachment.sync);
            }
        }
    }

    private static void awaitFlush(StepContext step, Connection connection) {
        if (connection.session != null && connection.syncProgress.startsToWait()) {
            step.awaitFlush(connection.session);
        }
    }

    private void sendPage(StepContext step, Attachment attachment, PendingSync sync) {
        var page = new ArrayList<PresenceMessage>();
        long bytes = 0;
        boolean isLast = true;
        for (Member member : attachment.channel.members.values()) {
            if (!sync.includes(member)) {
                continue;
            }
            PresenceMessage state = member.state();
            long size = (long) state.data().size() + Extras.size(state.extras()) + MEMBER_OVERHEAD_BYTES;
            if (page.size() == MAX_MEMBERS_PER_PAGE || (!page.isEmpty() && bytes + size > maxPageBytes)) {
                isLast = false;
                break;
            }
            page.add(state);
            bytes += size;
            sync.sent(member);
        }
        attachment.connection.syncProgress.sent(bytes);
        send(step, attachment, sync.nextSerial(isLast), page);
        if (isLast) {
            attachment.sync = null;
        }
    }

    private static void send(StepContext step, Attachment attachment, String serial, List<PresenceMessage> page) {
        step.send(
                attachment.connection,
                ProtocolMessage.builder(Action.SYNC)
                        .channel(attachment.spelling)
                        .channelSerial(serial)
                        .timestamp(step.wallMillis())
                        .presence(page)
                        .build());
    }
}
