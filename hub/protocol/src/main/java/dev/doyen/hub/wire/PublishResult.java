package dev.doyen.hub.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The serials of the messages in a published frame. The hub sends them in the field {@code res} of the ACK. */
public record PublishResult(List<@Nullable String> serials) {

    public PublishResult {
        serials = Collections.unmodifiableList(new ArrayList<>(serials));
    }
}
