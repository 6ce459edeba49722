package dev.doyen.hub;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.PublishResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A frame that requires exactly one answer, ACK or NACK. */
final class Receipt implements Log.Outcome {

    final Connection connection;
    final long msgSerial;
    private @Nullable ProtocolMessage answer;

    Receipt(Connection connection, long msgSerial) {
        this.connection = connection;
        this.msgSerial = msgSerial;
    }

    void ack(Turn turn) {
        answer(turn, answerTo(Action.ACK).build());
    }

    void ack(Turn turn, List<String> serials) {
        answer(
                turn,
                answerTo(Action.ACK).res(List.of(new PublishResult(serials))).build());
    }

    void nack(Turn turn, ErrorInfo error) {
        answer(turn, nack(msgSerial, error));
    }

    @Override
    public void done(Turn turn, List<Message> published) {
        if (published.isEmpty()) {
            ack(turn);
        } else {
            ack(turn, Publishing.serials(published));
        }
    }

    @Override
    public void refused(Turn turn, ErrorInfo why) {
        nack(turn, why);
    }

    static ProtocolMessage nack(long msgSerial, ErrorInfo error) {
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

    // The count is the number of frames, here always one. A greater count would acknowledge later frames too.
    private ProtocolMessage.Builder answerTo(Action action) {
        return ProtocolMessage.builder(action).msgSerial(msgSerial).count(1);
    }

    private void answer(Turn turn, ProtocolMessage given) {
        if (answer != null) {
            throw new IllegalStateException("msgSerial " + msgSerial + " was answered twice");
        }
        answer = given;
        connection.acks.flush(turn, connection);
    }
}
