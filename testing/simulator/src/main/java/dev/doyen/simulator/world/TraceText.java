package dev.doyen.simulator.world;

import dev.doyen.lease.LeaseEffect;
import dev.doyen.lease.LeaseInput;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;

/** Formats inputs, writes and records as short texts for the trace. */
final class TraceText {

    private TraceText() {}

    static String of(LeaseInput input) {
        if (input instanceof LeaseInput.ReadAnswered answered) {
            return "read #" + answered.request() + " found " + of(answered.found());
        }
        if (input instanceof LeaseInput.Answered answered) {
            return "answered #" + answered.request() + " " + of(answered.outcome());
        }
        return input.toString().replaceFirst("at=Moment\\[[^]]*], ?|at=Moment\\[[^]]*]", "");
    }

    static String of(LeaseEffect.Write write) {
        return "write #" + write.request() + " over v" + write.expected().value() + ": " + of(write.next());
    }

    static String of(VersionedLease found) {
        return found.record()
                .map(record -> "v" + found.version().value() + " " + of(record))
                .orElse("nothing");
    }

    private static String of(CasOutcome outcome) {
        if (outcome instanceof CasOutcome.Conflict conflict) {
            return "conflict with " + of(conflict.current());
        }
        return outcome instanceof CasOutcome.Written written
                ? "written v" + written.version().value()
                : outcome.toString();
    }

    private static String of(LeaseRecord record) {
        return (record.isHeld() ? record.holder() + "(" + record.incarnation() + ")" : "nobody") + " term "
                + record.term() + " state " + Work.countIn(record.state()) + " nonce " + record.nonce();
    }
}
