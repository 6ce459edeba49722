package dev.doyen.server.websocket;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.hub.Claimant;
import dev.doyen.hub.ConnectRequest;
import dev.doyen.hub.Hub;
import dev.doyen.hub.HubEffect;
import dev.doyen.hub.SessionId;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The hub as the shell sees it. It exists so that the shell's tests can hand it a hub that misbehaves. */
interface HubDoor {

    List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy);

    List<HubEffect> received(Moment at, SessionId session, ProtocolMessage message);

    List<HubEffect> garbled(Moment at, SessionId session, String reason);

    List<HubEffect> socketLost(Moment at, SessionId session);

    List<HubEffect> claimGranted(Moment at, Claimant claimant, long term);

    List<HubEffect> claimRefused(Moment at, Claimant claimant, Optional<Leader> holder);

    List<HubEffect> claimLost(Moment at, Claimant claimant, long term, LossCause cause);

    List<HubEffect> wake(Moment at);

    OptionalLong nextWakeNanos();

    /** The door of a real hub. */
    static HubDoor of(Hub hub) {
        return new HubDoor() {
            @Override
            public List<HubEffect> opened(Moment at, SessionId session, ConnectRequest request, String entropy) {
                return hub.opened(at, session, request, entropy);
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
            public List<HubEffect> claimGranted(Moment at, Claimant claimant, long term) {
                return hub.claimGranted(at, claimant, term);
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
            public List<HubEffect> wake(Moment at) {
                return hub.wake(at);
            }

            @Override
            public OptionalLong nextWakeNanos() {
                return hub.nextWakeNanos();
            }
        };
    }
}
