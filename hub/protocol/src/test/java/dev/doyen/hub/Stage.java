package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.Revocation;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.rest.RestAnswer;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/** A hub whose clock and clients the test controls. Every frame that the hub sends passes through the codec. */
public final class Stage {

    static final long START_MILLIS = 1_700_000_000_000L;
    static final String KEY = "app.key:secret";

    final Hub hub;
    final List<Claimant> claims = new ArrayList<>();
    final List<Claimant> releases = new ArrayList<>();
    final List<HubEffect> effects = new ArrayList<>();
    final List<HubEffect.Save> saves = new ArrayList<>();
    final List<List<Revocation>> storedRevocations = new ArrayList<>();
    final List<HubEffect.SteppedDown> stepDowns = new ArrayList<>();

    private final String name;
    private final Consumer<NodeEffect> nodeEffects;
    private final Map<Long, RestAnswer> answers = new HashMap<>();
    private long requests;

    /** The sessions for which the hub waits until the socket has taken all frames. */
    final Queue<SessionId> flushes = new ArrayDeque<>();
    /** False if the test itself decides when a socket takes its frames. */
    boolean flushesAtOnce = true;

    private final FrameCodec codec = new FrameCodec(524_288);
    private final Map<SessionId, Player> players = new HashMap<>();
    private long nanos = Long.MAX_VALUE - 5_000_000_000L;
    private long wallMillis = START_MILLIS;
    private long sessions;

    Stage() {
        this(HubSettings.defaults());
    }

    Stage(HubSettings settings) {
        this(new Hub(settings, HubKeys.of(List.of(KEY, "app.other:secret2"))));
    }

    Stage(Hub hub) {
        this(hub, "", effect -> {
            throw new AssertionError("a single hub has no other nodes");
        });
    }

    /**
     * @param name a name that makes the session ids and keys of this stage different from those of other stages
     */
    Stage(Hub hub, String name, Consumer<NodeEffect> nodeEffects) {
        this.sessions = name.hashCode() * 1_000_000L;
        this.hub = hub;
        this.name = name;
        this.nodeEffects = nodeEffects;
    }

    Moment now() {
        return new Moment(nanos, wallMillis);
    }

    /** Connects a client and removes its CONNECTED frame from the received frames. */
    public Player connect(String clientId) {
        Player player = open(Map.of("key", KEY, "clientId", clientId));
        player.take();
        return player;
    }

    Player open(Map<String, String> params) {
        return open(params, "");
    }

    Player open(Map<String, String> params, String address) {
        var player = new Player(this, new LinkedHashMap<>(params), address);
        player.open(params);
        return player;
    }

    SessionId opened(Player player, ConnectRequest request) {
        var session = new SessionId(++sessions);
        players.put(session, player);
        player.session = session;
        player.format = request.format();
        carry(hub.opened(now(), session, request, "entropy-entropy-entropy-" + name + sessions));
        return session;
    }

    /** Sends an HTTP request whose answer is available at once. */
    RestAnswer request(RestRequest request) {
        return answer(begin(request));
    }

    /** Sends an HTTP request and returns its number. The answer can arrive later. */
    long begin(RestRequest request) {
        long id = ++requests;
        carry(hub.requested(now(), id, request, "request-entropy-entropy-" + name + id));
        return id;
    }

    RestAnswer answer(long request) {
        return Objects.requireNonNull(answers.get(request), "every request is answered");
    }

    /** Advances the time and wakes the hub whenever a timer is due. */
    void pass(Duration duration) {
        long until = nanos + duration.toNanos();
        while (hub.nextWakeNanos().isPresent() && hub.nextWakeNanos().getAsLong() - until <= 0) {
            long next = hub.nextWakeNanos().getAsLong();
            advanceTo(next - nanos > 0 ? next : nanos);
            carry(hub.wake(now()));
        }
        advanceTo(until);
    }

    /** Advances the time without waking the hub. */
    void passAsleep(Duration duration) {
        advanceTo(nanos + duration.toNanos());
    }

    void setWall(long millis) {
        wallMillis = millis;
    }

    private void advanceTo(long target) {
        wallMillis += (target - nanos) / 1_000_000;
        nanos = target;
    }

    public void grant(Claimant claimant, long term) {
        carry(hub.claimGranted(now(), claimant, term, SavedState.EMPTY));
    }

    public void grant(Claimant claimant, long term, SavedState left) {
        carry(hub.claimGranted(now(), claimant, term, left));
    }

    /** Confirms all saves to the hub. */
    void stored() {
        HubEffect.Save last = saves.get(saves.size() - 1);
        carry(hub.stateSaved(now(), last.claimant(), last.term(), last.number()));
    }

    /** Grants the last claim. */
    public void grant(long term) {
        grant(claims.get(claims.size() - 1), term);
    }

    void refuse(Claimant claimant, Optional<Leader> holder) {
        carry(hub.claimRefused(now(), claimant, holder));
    }

    public void lose(Claimant claimant, long term) {
        carry(hub.claimLost(now(), claimant, term, LossCause.SUPERSEDED));
    }

    void retire() {
        carry(hub.retire(now()));
    }

    void stepDown(String election, SlotStepDown stepDown) {
        carry(hub.stepDown(now(), 1, election, stepDown));
    }

    public ChannelView view(String channel) {
        return hub.channels().stream()
                .filter(view -> view.name().equals(channel))
                .findFirst()
                .orElseThrow();
    }

    void carry(List<HubEffect> todo) {
        effects.addAll(todo);
        for (HubEffect effect : todo) {
            effect.accept(new HubEffect.Cases() {
                @Override
                public void send(HubEffect.Send send) {
                    deliver(send.session(), send.message());
                }

                @Override
                public void fanOut(HubEffect.FanOut fanOut) {
                    assertThat(fanOut.sessions()).doesNotHaveDuplicates();
                    fanOut.sessions().forEach(session -> deliver(session, fanOut.message()));
                }

                @Override
                public void answer(HubEffect.Answer answer) {
                    assertThat(answers.put(answer.requestId(), answer.answer()))
                            .as("request %s has only one answer", answer.requestId())
                            .isNull();
                }

                @Override
                public void awaitFlush(HubEffect.AwaitFlush effect) {
                    flushes.add(effect.session());
                }

                @Override
                public void close(HubEffect.Close close) {
                    player(close.session()).closed(close.session());
                }

                @Override
                public void claim(HubEffect.Claim claim) {
                    claims.add(claim.claimant());
                }

                @Override
                public void release(HubEffect.Release release) {
                    releases.add(release.claimant());
                }

                @Override
                public void steppedDown(HubEffect.SteppedDown steppedDown) {
                    stepDowns.add(steppedDown);
                }

                @Override
                public void amongNodes(NodeEffect effect) {
                    nodeEffects.accept(effect);
                }

                @Override
                public void storeRevocations(HubEffect.StoreRevocations effect) {
                    storedRevocations.add(effect.all());
                }

                @Override
                public void save(HubEffect.Save save) {
                    saves.add(save);
                }
            });
        }
        if (flushesAtOnce) {
            flush();
        }
    }

    /** Lets the sockets take all frames that the hub has sent until now. */
    void flush() {
        for (int waiting = flushes.size(); waiting > 0; waiting--) {
            carry(hub.flushed(now(), flushes.remove()));
        }
    }

    private Player player(SessionId session) {
        Player player = players.get(session);
        assertThat(player).as("session %s has a client", session).isNotNull();
        return player;
    }

    private void deliver(SessionId session, ProtocolMessage message) {
        Player player = player(session);
        Format format = player.format;
        try {
            ProtocolMessage arrived = codec.decode(codec.encode(message, format), format);
            // Compare the encoded form. In extras, records distinguish int and long, but the wire does not.
            assertThat(codec.encode(arrived, Format.JSON)).isEqualTo(codec.encode(message, Format.JSON));
            player.arrived(session, arrived);
        } catch (MalformedFrameException e) {
            throw new AssertionError("the hub sent a frame that its own codec rejects: " + message, e);
        }
    }
}
