package dev.doyen.hub.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.AppChannels;
import dev.doyen.hub.auth.Authenticator;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.auth.Operation;
import dev.doyen.hub.auth.Permissions;
import dev.doyen.hub.auth.TokenDetails;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.connection.Connections;
import dev.doyen.hub.connection.Frames;
import dev.doyen.hub.content.ChannelName;
import dev.doyen.hub.history.Past;
import dev.doyen.hub.nodes.Nodes;
import dev.doyen.hub.publish.Publishing;
import dev.doyen.hub.publish.Sender;
import dev.doyen.hub.quota.Accounts;
import dev.doyen.hub.ratelimit.RateLimits;
import dev.doyen.hub.rest.AppBook;
import dev.doyen.hub.rest.ChannelBook;
import dev.doyen.hub.rest.ChannelStatus;
import dev.doyen.hub.rest.HistoryQuery;
import dev.doyen.hub.rest.Later;
import dev.doyen.hub.rest.MemberQuery;
import dev.doyen.hub.rest.Page;
import dev.doyen.hub.rest.Posting;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Provides the hub's channels to one HTTP request. */
public final class RestRequestChannels implements ChannelBook {

    /** The parts of the hub that all requests share. */
    public record Files(
            HubSettings settings,
            Authenticator authenticator,
            RateLimits callers,
            Accounts accounts,
            Connections connections,
            Channels channels,
            Publishing publishing,
            Revoking revoking,
            @Nullable SandboxApps sandbox,
            @Nullable Nodes nodes) {}

    private final Files files;
    /** The context of the current step. The step handles the request, or a later answer of the log. */
    private StepContext step;

    private final String entropy;
    private int published;
    /** The client's address; empty if it is unknown. */
    private String address = "";
    /**
     * The access that the first call of {@link #access} has found. The value is null before that call and after a
     * refusal.
     */
    private @Nullable Access proved;

    private @Nullable Refusal unproved;

    public RestRequestChannels(Files files, StepContext step, String entropy) {
        this.files = files;
        this.step = step;
        this.entropy = entropy;
    }

    @Override
    public long nowMillis() {
        return step.wallMillis();
    }

    @Override
    public void admit(RestRequest request, boolean publishes) throws Refusal {
        address = request.address();
        if (request.header("authorization") == null) {
            files.callers.unnamed(request.address(), step.nanos());
            return;
        }
        Access access;
        try {
            access = access(request);
        } catch (Refusal noGood) {
            if (RateLimits.isGuess(noGood)) {
                files.callers.misnamed(request.address(), step.nanos());
            } else {
                files.callers.unnamed(request.address(), step.nanos());
            }
            return;
        }
        files.callers.named(access, request.address(), publishes, step.nanos());
    }

    @Override
    public void countPublished(int messages) throws Refusal {
        if (proved != null) {
            files.callers.publishes(proved, messages - 1, step.nanos());
        }
    }

    @Override
    public Access access(RestRequest request) throws Refusal {
        if (unproved != null) {
            throw unproved;
        }
        if (proved == null) {
            try {
                proved = authenticated(request);
            } catch (Refusal refusal) {
                unproved = refusal;
                throw refusal;
            }
        }
        return proved;
    }

    private Access authenticated(RestRequest request) throws Refusal {
        String authorization = request.header("authorization");
        if (authorization == null) {
            throw new Refusal(
                    ErrorCode.BAD_CREDENTIALS,
                    "no credentials; send the header Authorization, Basic with an API key or Bearer with a token");
        }
        return files.authenticator.ofHeader(authorization, step.wallMillis());
    }

    @Override
    public TokenDetails issue(String keyName, JsonNode body, RestRequest request) throws Refusal {
        Access caller = request.header("authorization") == null ? null : access(request);
        files.callers.checkGuess(caller, request.address(), step.nanos());
        try {
            return files.authenticator.issue(keyName, body, caller, step.wallMillis());
        } catch (Refusal noGood) {
            files.callers.guessed(caller, request.address(), step.nanos());
            throw noGood;
        }
    }

    @Override
    public Revoked revoke(String keyName, String target, OptionalLong issuedBeforeMillis, boolean margin)
            throws Refusal {
        // Add 1, so that tokens issued in this millisecond are revoked too.
        long before = issuedBeforeMillis.orElse(step.wallMillis() + 1);
        if (margin) {
            files.revoking.later(step, keyName, target, before);
            return new Revoked(before, step.wallMillis() + Revoking.MARGIN.toMillis());
        }
        files.revoking.now(step, keyName, target, before);
        return new Revoked(before, step.wallMillis());
    }

    @Override
    public void applyRevocations() {
        files.revoking.apply(step);
    }

    @Override
    public Later<List<Message>> publish(Access access, Posting posting) throws Refusal {
        ChannelName name = allowed(access, posting.channel(), Operation.PUBLISH);
        String key = posting.connectionKey();
        Connection connection = key == null ? null : files.connections.byKey(key);
        if (key != null && connection == null) {
            throw new Refusal(
                    ErrorCode.NO_SUCH_CONNECTION,
                    "no current connection has this connectionKey; leave it out, or give the key of a current connection");
        }
        if (connection != null && !connection.publishes.take(posting.messages().size(), step.nanos())) {
            throw new Refusal(Frames.tooFast(files.settings), 1);
        }
        var sender = new Sender(
                connection,
                posting.identity(),
                files.accounts.open(access, address),
                Digests.name("publish " + ++published, entropy),
                null);
        var answer = new Later<List<Message>>();
        files.publishing.publish(step, name, sender, posting.messages(), new Log.Outcome() {
            @Override
            public void done(StepContext later, List<Message> stamped) {
                step = later;
                answer.become(stamped);
            }

            @Override
            public void refused(StepContext later, ErrorInfo why) {
                step = later;
                answer.refuse(new Refusal(why));
            }
        });
        return answer;
    }

    /** Returns the context of the step in which the hub answers the request. */
    public StepContext step() {
        return step;
    }

    @Override
    public Page<Message> messages(Access access, String channel, HistoryQuery query) throws Refusal {
        Channel known = find(allowed(access, channel, Operation.HISTORY));
        return known == null ? new Page<>(List.of(), null) : Past.page(known.history.items(), query);
    }

    @Override
    public Page<PresenceMessage> presenceHistory(Access access, String channel, HistoryQuery query) throws Refusal {
        Channel known = find(allowed(access, channel, Operation.HISTORY));
        return known == null ? new Page<>(List.of(), null) : Past.page(known.presenceLog.items(), query);
    }

    @Override
    public Page<PresenceMessage> members(Access access, String channel, MemberQuery query) throws Refusal {
        Channel known = find(allowed(access, channel, Operation.SUBSCRIBE));
        var members = new ArrayList<Member>(known == null ? List.of() : known.members.values());
        members.removeIf(member -> (query.clientId() != null
                        && !query.clientId().equals(member.clientId))
                || (query.connectionId() != null && !query.connectionId().equals(member.connection.id))
                || (query.after() != null && mark(member).compareTo(query.after()) <= 0));
        members.sort(Comparator.comparing(RestRequestChannels::mark));
        boolean more = members.size() > query.limit();
        List<Member> page = more ? members.subList(0, query.limit()) : members;
        return new Page<>(page.stream().map(Member::state).toList(), more ? mark(page.get(page.size() - 1)) : null);
    }

    @Override
    public ChannelStatus status(Access access, String channel) throws Refusal {
        ChannelName name = allowed(access, channel, Operation.CHANNEL_METADATA);
        return new ChannelStatus(
                AppChannels.nameOf(name.name()),
                files.channels.isActive(name.name(), step.nanos()),
                files.channels.occupancy(name.name()));
    }

    @Override
    public Page<String> channels(Access access, String prefix, int limit, @Nullable String after) {
        var names = new ArrayList<String>();
        for (String internalName : files.channels.activeNames(step.nanos())) {
            String name = AppChannels.nameOf(internalName);
            if (access.allows(internalName, Operation.CHANNEL_METADATA)
                    && name.startsWith(prefix)
                    && (after == null || name.compareTo(after) > 0)) {
                names.add(name);
            }
        }
        names.sort(Comparator.naturalOrder());
        boolean more = names.size() > limit;
        return new Page<>(more ? names.subList(0, limit) : names, more ? names.get(limit - 1) : null);
    }

    @Override
    public @Nullable AppBook apps() {
        return files.sandbox == null ? null : files.sandbox.during(step, entropy);
    }

    /** Returns the cursor of a member. The cursor stays valid while other members enter and leave. */
    private static String mark(Member member) {
        return member.connection.id + ":" + member.clientId;
    }

    private ChannelName allowed(Access access, String spelling, Operation operation) throws Refusal {
        ChannelName name = ChannelName.parse(spelling, access, files.settings);
        Permissions.require(access, name.name(), operation);
        return name;
    }

    private @Nullable Channel find(ChannelName name) {
        return files.channels.find(name.name());
    }
}
