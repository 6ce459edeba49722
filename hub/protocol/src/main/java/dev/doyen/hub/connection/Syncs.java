package dev.doyen.hub.connection;

import dev.doyen.hub.channel.Attachment;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Member;
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
 * <p>The last page has an empty cursor, and every page has a list, even an empty one. Without these, SDKs wait forever.
 */
public final class Syncs {

    private static final int MAX_MEMBERS_PER_PAGE = 100;
    /** Upper estimate of a member's size without its data and extras. */
    private static final int MEMBER_OVERHEAD_BYTES = 1_024;

    private final int maxPageBytes;
    private long begun;

    public Syncs(HubSettings settings) {
        // Quotes and base64 make data longer when it is encoded.
        this.maxPageBytes = settings.maxFrameBytes() / 2;
    }

    void send(StepContext step, Attachment attachment) {
        String syncId = "s" + begun++;
        List<List<PresenceMessage>> pages = pages(attachment.channel);
        for (int i = 0; i < pages.size(); i++) {
            String cursor = i == pages.size() - 1 ? "" : Integer.toString(i + 1);
            step.send(
                    attachment.connection,
                    ProtocolMessage.builder(Action.SYNC)
                            .channel(attachment.spelling)
                            .channelSerial(syncId + ":" + cursor)
                            .timestamp(step.wallMillis())
                            .presence(pages.get(i))
                            .build());
        }
    }

    private List<List<PresenceMessage>> pages(Channel channel) {
        var pages = new ArrayList<List<PresenceMessage>>();
        var page = new ArrayList<PresenceMessage>();
        long bytes = 0;
        for (Member member : channel.members.values()) {
            PresenceMessage state = member.state();
            long size = (long) state.data().size() + Extras.size(state.extras()) + MEMBER_OVERHEAD_BYTES;
            if (!page.isEmpty() && (page.size() == MAX_MEMBERS_PER_PAGE || bytes + size > maxPageBytes)) {
                pages.add(page);
                page = new ArrayList<>();
                bytes = 0;
            }
            page.add(state);
            bytes += size;
        }
        pages.add(page);
        return pages;
    }
}
