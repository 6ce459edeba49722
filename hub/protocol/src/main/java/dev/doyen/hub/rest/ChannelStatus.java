package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.wire.Occupancy;

/** The name and occupancy of a channel. The flag {@code active} is true if the channel is used. */
public record ChannelStatus(String name, boolean active, Occupancy occupancy) {

    ObjectNode tree() {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("channelId", name);
        ObjectNode status = tree.putObject("status").put("isActive", active);
        status.putObject("occupancy").set("metrics", occupancy.metrics());
        return tree;
    }
}
