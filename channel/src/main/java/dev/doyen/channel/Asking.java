package dev.doyen.channel;

import io.ably.lib.realtime.CompletionListener;
import io.ably.lib.types.AblyException;
import io.ably.lib.types.ErrorInfo;
import java.util.Optional;
import java.util.function.Consumer;

/** What the SDK starts at once and answers later. */
interface Asking {

    void ask(CompletionListener answer) throws AblyException;

    /** Asks, and tells the refusal, if there is one. Threads: the caller's, if it is refused at once; else the SDK's. */
    static void asked(Asking asking, Consumer<Optional<ErrorInfo>> told) {
        try {
            asking.ask(new CompletionListener() {
                @Override
                public void onSuccess() {
                    told.accept(Optional.empty());
                }

                @Override
                public void onError(ErrorInfo reason) {
                    told.accept(Optional.of(reason));
                }
            });
        } catch (AblyException e) {
            told.accept(Optional.of(e.errorInfo));
        }
    }
}
