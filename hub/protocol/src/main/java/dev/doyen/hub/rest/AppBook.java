package dev.doyen.hub.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.OptionalInt;

/** Creates and deletes the apps of test suites on a sandbox hub. */
public interface AppBook {

    /**
     * The requested content of a new app.
     *
     * @param capabilities the capabilities as text, one for each key of the app
     * @param fixtures the initial members. Several fixtures can have the same channel
     * @param maxMembers the maximum number of members of each channel; empty for the maximum of the hub
     */
    record Plan(List<String> capabilities, List<Fixture> fixtures, OptionalInt maxMembers) {
        public Plan {
            capabilities = List.copyOf(capabilities);
            fixtures = List.copyOf(fixtures);
        }
    }

    /** Initial members of a channel. */
    record Fixture(String channel, List<PresenceMessage> members) {
        public Fixture {
            members = List.copyOf(members);
        }
    }

    /** Creates an app. Returns a description of the app for the test suite, including the keys. */
    ObjectNode create(Plan plan) throws Refusal;

    /** Deletes an app. The keys of the app become invalid, and its initial members leave. */
    void delete(Access access, String appId) throws Refusal;
}
