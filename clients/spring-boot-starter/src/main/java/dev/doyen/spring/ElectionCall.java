package dev.doyen.spring;

import dev.doyen.Leadership;
import dev.doyen.event.LossCause;
import java.util.Optional;

/** Something to call when a term begins or has ended; what it throws is logged. */
interface ElectionCall {
    void call(Leadership leadership, Optional<LossCause> cause) throws Exception;
}
