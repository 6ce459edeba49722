package dev.doyen.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Shows a rejected setting and its remedy instead of a stack trace.
 *
 * <p>This analyzer runs before the analyzers of Spring Boot, whose messages are less specific.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class DoyenFailureAnalyzer extends AbstractFailureAnalyzer<DoyenRefusedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DoyenRefusedException cause) {
        String sentence = String.valueOf(cause.getMessage());
        int remedy = sentence.lastIndexOf("; ");
        return remedy < 0
                ? new FailureAnalysis(sentence, null, rootFailure)
                : new FailureAnalysis(sentence.substring(0, remedy), sentence.substring(remedy + 2), rootFailure);
    }
}
