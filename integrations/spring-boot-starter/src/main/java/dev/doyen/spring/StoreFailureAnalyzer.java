package dev.doyen.spring;

import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why the store of the elections cannot be used, and the remedy, instead of a stack trace. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreUnavailableException> {

    private static final String CHECK = "Check that the store runs, and that doyen.store is correct. With"
            + " doyen.store=datasource:, also check spring.datasource.url. With doyen.fail-fast=false, the application"
            + " starts without its store, and joins its elections when the store answers.";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreUnavailableException cause) {
        if (cause instanceof StoreRefusedException refused) {
            return new FailureAnalysis(
                    "The store of the elections rejects this application: " + refused.refusal(),
                    refused.remedy(),
                    rootFailure);
        }
        return DoyenFailureAnalyzer.analysis(
                "The store of the elections cannot be used: " + cause.getMessage(), CHECK, rootFailure);
    }
}
