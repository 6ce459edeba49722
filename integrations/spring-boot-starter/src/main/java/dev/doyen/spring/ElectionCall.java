package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.event.LossCause;
import java.util.Optional;

/** A method to call when a term begins or has ended. Exceptions are logged. */
interface ElectionCall {
    void call(Leadership leadership, Optional<LossCause> cause) throws Exception;
}
