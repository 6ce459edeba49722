package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.event.LossCause;
import java.util.Optional;

/** A method that is called when a term begins or has ended. Exceptions of the method are logged. */
interface ElectionCall {
    void call(Leadership leadership, Optional<LossCause> cause) throws Exception;
}
