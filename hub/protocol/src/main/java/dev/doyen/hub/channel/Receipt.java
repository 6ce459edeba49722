package dev.doyen.hub.channel;

import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.PublishResult;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The obligation to answer a frame with exactly one ACK or NACK. */
public final class Receipt implements Log.Outcome {

    public final Connection connection;
    public final long msgSerial;
    private @Nullable ProtocolMessage answer;

    Receipt(Connection connection, long msgSerial) {
        this.connection = connection;
        this.msgSerial = msgSerial;
    }

    public void ack(StepContext step) {
        answer(step, answerTo(Action.ACK).build());
    }

    public void ack(StepContext step, List<String> serials) {
        answer(
                step,
                answerTo(Action.ACK).res(List.of(new PublishResult(serials))).build());
    }

    public void nack(StepContext step, ErrorInfo error) {
        answer(step, nack(msgSerial, error));
    }

    @Override
    public void done(StepContext step, List<Message> published) {
        if (published.isEmpty()) {
            ack(step);
        } else {
            ack(step, serials(published));
        }
    }

    private static List<String> serials(List<Message> published) {
        return published.stream()
                .map(message -> Objects.requireNonNull(message.serial(), "published messages have serials"))
                .toList();
    }

    @Override
    public void refused(StepContext step, ErrorInfo why) {
        nack(step, why);
    }

    public static ProtocolMessage nack(long msgSerial, ErrorInfo error) {
        return ProtocolMessage.builder(Action.NACK)
                .msgSerial(msgSerial)
                .count(1)
                .error(error)
                .build();
    }

    @Nullable
    ProtocolMessage answer() {
        return answer;
    }

    // The field count is the number of answered frames, which is always 1. A greater count would also acknowledge later
    // frames.
    private ProtocolMessage.Builder answerTo(Action action) {
        return ProtocolMessage.builder(action).msgSerial(msgSerial).count(1);
    }

    private void answer(StepContext step, ProtocolMessage given) {
        if (answer != null) {
            throw new IllegalStateException("msgSerial " + msgSerial + " was answered twice");
        }
        answer = given;
        connection.acks.flush(step, connection);
    }
}
