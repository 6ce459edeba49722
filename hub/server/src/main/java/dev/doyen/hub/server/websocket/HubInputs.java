package dev.doyen.hub.server.websocket;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import dev.doyen.hub.Hub;
import dev.doyen.hub.HubCounts;
import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.auth.IssuerKeys;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The interface through which the driver calls the hub. Tests substitute a hub that fails. */
interface HubInputs extends HubView {

    List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy);

    List<HubEffect> requested(Moment at, long requestId, RestRequest request, String entropy);

    List<HubEffect> keysChanged(Moment at, HubKeys keys);

    List<HubEffect> issuerKeysChanged(Moment at, String issuer, IssuerKeys keys);

    boolean takeUnknownKey(String issuer);

    List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message);

    List<HubEffect> garbled(Moment at, SessionId session, String reason);

    List<HubEffect> socketLost(Moment at, SessionId session);

    List<HubEffect> flushed(Moment at, SessionId session);

    List<HubEffect> claimGranted(Moment at, Claimant claimant, long term, SavedState left);

    List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder);

    List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause);

    List<HubEffect> claimPaused(Moment at, Claimant claimant, String why);

    List<HubEffect> stepDown(Moment at, long order, String election, SlotStepDown stepDown);

    List<HubEffect> stateSaved(Moment at, Claimant claimant, long term, long number);

    List<HubEffect> joined(Moment at, Joined joined);

    List<HubEffect> logged(Moment at, List<Logged> entries);

    List<HubEffect> declined(Moment at, long number, Declined why);

    List<HubEffect> outOfTouch(Moment at, String why);

    List<HubEffect> retire(Moment at);

    /** Returns the claims as {@link Hub#claims} does. */
    List<HeldClaim> claims();

    boolean isSettled();

    List<HubEffect> wake(Moment at);

    OptionalLong nextWakeNanos();

    /** Returns the names of a session's client; {@link ClientIdentity#UNKNOWN} if the session has no connection. */
    ClientIdentity clientOf(SessionId session);

    /** Wraps a real hub. */
    static HubInputs of(Hub hub) {
        return new HubInputs() {
            @Override
            public List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy) {
                return hub.opened(at, session, request, entropy);
            }

            @Override
            public List<HubEffect> requested(Moment at, long requestId, RestRequest request, String entropy) {
                return hub.requested(at, requestId, request, entropy);
            }

            @Override
            public List<HubEffect> keysChanged(Moment at, HubKeys keys) {
                return hub.keysChanged(at, keys);
            }

            @Override
            public List<HubEffect> issuerKeysChanged(Moment at, String issuer, IssuerKeys keys) {
                return hub.issuerKeysChanged(at, issuer, keys);
            }

            @Override
            public boolean takeUnknownKey(String issuer) {
                return hub.takeUnknownKey(issuer);
            }

            @Override
            public List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message) {
                return hub.received(at, session, message);
            }

            @Override
            public List<HubEffect> garbled(Moment at, SessionId session, String reason) {
                return hub.garbled(at, session, reason);
            }

            @Override
            public List<HubEffect> socketLost(Moment at, SessionId session) {
                return hub.socketLost(at, session);
            }

            @Override
            public List<HubEffect> flushed(Moment at, SessionId session) {
                return hub.flushed(at, session);
            }

            @Override
            public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term, SavedState left) {
                return hub.claimGranted(at, claimant, term, left);
            }

            @Override
            public List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder) {
                return hub.claimRefused(at, claimant, holder);
            }

            @Override
            public List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause) {
                return hub.claimLost(at, claimant, term, cause);
            }

            @Override
            public List<HubEffect> claimPaused(Moment at, Claimant claimant, String why) {
                return hub.claimPaused(at, claimant, why);
            }

            @Override
            public List<HubEffect> stepDown(Moment at, long order, String election, SlotStepDown stepDown) {
                return hub.stepDown(at, order, election, stepDown);
            }

            @Override
            public List<HubEffect> stateSaved(Moment at, Claimant claimant, long term, long number) {
                return hub.stateSaved(at, claimant, term, number);
            }

            @Override
            public List<HubEffect> joined(Moment at, Joined joined) {
                return hub.joined(at, joined);
            }

            @Override
            public List<HubEffect> logged(Moment at, List<Logged> entries) {
                return hub.logged(at, entries);
            }

            @Override
            public List<HubEffect> declined(Moment at, long number, Declined why) {
                return hub.declined(at, number, why);
            }

            @Override
            public List<HubEffect> outOfTouch(Moment at, String why) {
                return hub.outOfTouch(at, why);
            }

            @Override
            public List<HubEffect> retire(Moment at) {
                return hub.retire(at);
            }

            @Override
            public List<HeldClaim> claims() {
                return hub.claims();
            }

            @Override
            public boolean isSettled() {
                return hub.isSettled();
            }

            @Override
            public List<HubEffect> wake(Moment at) {
                return hub.wake(at);
            }

            @Override
            public OptionalLong nextWakeNanos() {
                return hub.nextWakeNanos();
            }

            @Override
            public ClientIdentity clientOf(SessionId session) {
                return hub.clientOf(session);
            }

            @Override
            public HubCounts counts() {
                return hub.counts();
            }

            @Override
            public List<ChannelView> channels() {
                return hub.channels();
            }

            @Override
            public List<MemberView> members(String channel, int limit) {
                return hub.members(channel, limit);
            }

            @Override
            public boolean mayAdminister(String authorization, String address) {
                return hub.mayAdminister(
                        new Moment(System.nanoTime(), System.currentTimeMillis()), authorization, address);
            }
        };
    }
}
