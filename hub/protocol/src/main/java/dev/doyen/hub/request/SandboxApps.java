package dev.doyen.hub.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.ClientIds;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.ConnectParams;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.PresenceCapacity;
import dev.doyen.hub.channel.PresenceFrame;
import dev.doyen.hub.connection.Departures;
import dev.doyen.hub.content.ChannelName;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.rest.AppBook;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the apps that test suites have created. An app's initial members belong to a connection without a socket. */
public final class SandboxApps {

    public static final int MAX_APPS = 100;

    private final HubSettings settings;
    private final Authenticator authenticator;
    private final Channels channels;
    private final Log log;
    private final Departures departures;
    private final PresenceCapacity capacity;
    private final Map<String, Connection> byId = new LinkedHashMap<>();

    public SandboxApps(
            HubSettings settings, Authenticator authenticator, Channels channels, Log log, Departures departures) {
        this.settings = settings;
        this.authenticator = authenticator;
        this.channels = channels;
        this.log = log;
        this.departures = departures;
        this.capacity = new PresenceCapacity(settings, channels);
    }

    /** Returns the apps for one request. */
    AppBook during(StepContext step, String entropy) {
        return new AppBook() {
            @Override
            public ObjectNode create(Plan plan) throws Refusal {
                return SandboxApps.this.create(step, entropy, plan);
            }

            @Override
            public void delete(Access access, String appId) throws Refusal {
                SandboxApps.this.delete(step, access, appId);
            }
        };
    }

    private ObjectNode create(StepContext step, String entropy, AppBook.Plan plan) throws Refusal {
        if (byId.size() >= MAX_APPS) {
            throw new Refusal(
                    ErrorCode.UNAVAILABLE, "the sandbox has " + byId.size() + " apps, its limit; delete some first");
        }
        String appId = Digests.name("app", entropy);
        ObjectNode app =
                JsonNodeFactory.instance.objectNode().put("appId", appId).put("accountId", "sandbox");
        var shown = app.putArray("keys");
        var keys = new ArrayList<HubKey>();
        for (String requested : plan.capabilities()) {
            Capability capability = Capability.parse(requested);
            String keyId = "key" + keys.size();
            String secret = Digests.name("secret of " + keyId, entropy);
            String text = appId + "." + keyId + ":" + secret;
            keys.add(HubKey.of(text).with(capability).inSandbox());
            shown.addObject()
                    .put("id", keyId)
                    .put("keyName", appId + "." + keyId)
                    .put("keySecret", secret)
                    .put("keyStr", text)
                    .put("value", secret)
                    .put("capability", capability.text());
        }
        Connection through = connection(step, entropy, keys.get(0));
        List<Entering> entering = entering(plan, through);
        plan.maxMembers().ifPresent(most -> channels.limitMembers(appId, most));
        try {
            enter(step, through, entering);
        } catch (Refusal refusal) {
            departures.leaveAll(step, through, "its app could not be created");
            channels.removeApp(appId);
            throw refusal;
        }
        authenticator.lend(keys);
        byId.put(appId, through);
        return app;
    }

    private void delete(StepContext step, Access access, String appId) throws Refusal {
        Connection present = byId.get(appId);
        if (present == null) {
            throw new Refusal(ErrorCode.NOT_FOUND, "there is no app " + Quote.of(appId) + " in this sandbox");
        }
        if (!access.keyName().startsWith(appId + ".")) {
            throw new Refusal(
                    ErrorCode.NOT_ALLOWED, "the key " + Quote.of(access.keyName()) + " is not a key of the app");
        }
        byId.remove(appId);
        authenticator.takeBack(appId);
        departures.leaveAll(step, present, "its app was deleted");
        channels.removeApp(appId);
    }

    private Connection connection(StepContext step, String entropy, HubKey key) throws Refusal {
        Access access = key.access();
        var params = ConnectParams.read(Map.of(), access, settings);
        return new Connection(
                Digests.name("sandbox", entropy), params, access, Usage.UNCOUNTED, settings, step.nanos());
    }

    /** The entries of one fixture. */
    private record Entering(ChannelName channel, List<PresenceFrame.Entry> entries) {}

    private void enter(StepContext step, Connection through, List<Entering> entering) throws Refusal {
        long serial = 0;
        for (Entering each : entering) {
            ChannelName name = each.channel();
            Channel channel = channels.open(step, name.name(), Usage.UNCOUNTED);
            var frame = new PresenceFrame(through, channel, name.spelling(), serial++, each.entries());
            try {
                capacity.check(frame);
                log.append(step, new Change.Presented(frame, null), Log.IGNORED);
            } finally {
                channels.settle(step, channel);
            }
        }
    }

    private List<Entering> entering(AppBook.Plan plan, Connection through) throws Refusal {
        var all = new ArrayList<Entering>();
        for (AppBook.Fixture fixture : plan.fixtures()) {
            var entries = new ArrayList<PresenceFrame.Entry>();
            for (PresenceMessage member : fixture.members()) {
                @Nullable
                String clientId =
                        ClientIds.resolve("connection", through.clientId, member.clientId(), settings.clientIdRule());
                if (clientId == null) {
                    throw new Refusal(ErrorCode.BAD_REQUEST, "a member of channels has no clientId; give each one");
                }
                Extras.check(member.extras());
                // Only the hub may set a term (rule C4).
                PresenceMessage entering = member.withExtras(Extras.withoutClaim(member.extras()));
                entries.add(new PresenceFrame.Entry(clientId, entering, Optional.empty(), null));
            }
            all.add(new Entering(ChannelName.parse(fixture.channel(), through.access, settings), entries));
        }
        return all;
    }
}
