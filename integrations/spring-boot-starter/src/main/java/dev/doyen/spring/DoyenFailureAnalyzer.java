package dev.doyen.spring;

import org.jspecify.annotations.Nullable;
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
        return analysis(String.valueOf(cause.getMessage()), null, rootFailure);
    }

    /**
     * Returns an analysis whose action is the remedy in the sentence.
     *
     * @param sentence the problem and, after the last semicolon, the remedy
     * @param otherwise the action if the sentence contains no remedy; null for no action
     */
    static FailureAnalysis analysis(String sentence, @Nullable String otherwise, Throwable rootFailure) {
        int remedy = sentence.lastIndexOf("; ");
        return remedy < 0
                ? new FailureAnalysis(sentence, otherwise, rootFailure)
                : new FailureAnalysis(sentence.substring(0, remedy), sentence.substring(remedy + 2), rootFailure);
    }
}
