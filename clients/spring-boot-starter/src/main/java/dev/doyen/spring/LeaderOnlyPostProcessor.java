package dev.doyen.spring;

import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;

/**
 * Puts the advice of {@link LeaderOnly} before all that a bean has already (transactions, caches, retries), and before
 * {@code @Scheduled} and {@code @Async} look at the bean, which both come last.
 */
final class LeaderOnlyPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

    private static final long serialVersionUID = 1;

    LeaderOnlyPostProcessor(Supplier<Function<String, TermGate>> gates, boolean proxyTargetClass) {
        var pointcut = new AnnotationMatchingPointcut(null, LeaderOnly.class, true);
        this.advisor = new DefaultPointcutAdvisor(pointcut, new LeaderOnlyInterceptor(gates));
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(proxyTargetClass);
        setOrder(Ordered.LOWEST_PRECEDENCE - 10);
    }
}
