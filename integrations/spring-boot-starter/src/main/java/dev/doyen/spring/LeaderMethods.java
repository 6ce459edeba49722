package dev.doyen.spring;

import dev.doyen.election.Leadership;
import dev.doyen.event.LossCause;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/** Finds the annotated methods after all beans exist, and rejects unsupported methods. */
final class LeaderMethods {

    private static final List<Class<? extends Annotation>> ALL =
            List.of(LeaderOnly.class, OnElected.class, OnRevoked.class);

    private static final String MONO = "reactor.core.publisher.Mono";
    private static final String FLUX = "reactor.core.publisher.Flux";
    private static final String FLOW = "kotlinx.coroutines.flow.Flow";

    /** True if the library is present with which Spring converts a suspend function to a Mono. */
    private static final boolean SUSPENDS =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", LeaderMethods.class.getClassLoader());

    /** The beginnings of the names of types whose values only announce work. */
    private static final List<String> LATER =
            List.of("reactor.", "org.reactivestreams.", "java.util.concurrent.Flow$", "kotlinx.coroutines.");

    private final ConfigurableListableBeanFactory beans;
    private final LeaderElections elections;

    LeaderMethods(ConfigurableListableBeanFactory beans, LeaderElections elections) {
        this.beans = beans;
        this.elections = elections;
    }

    /**
     * Returns true if each subscription to the result is one call, as with Mono, Flux and suspend functions. Such a
     * method exists only if Reactor is on the class path.
     */
    static boolean isReactive(Method method) {
        String type = method.getReturnType().getName();
        return type.equals(MONO) || type.equals(FLUX) || (SUSPENDS && KotlinDetector.isSuspendingFunction(method));
    }

    /** Returns true if Spring expects a Flux from this reactive method, and false if it expects a Mono. */
    static boolean returnsMany(Method method) {
        // With -1, MethodParameter returns the type of the result. It also knows the type of a suspend function.
        String type = new MethodParameter(method, -1).getParameterType().getName();
        return type.equals(FLUX) || type.equals(FLOW);
    }

    void find() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, ALL)) {
                found(name, type);
            }
        }
    }

    private void found(String bean, Class<?> type) {
        Map<Method, MergedAnnotation<LeaderOnly>> guarded =
                MethodIntrospector.selectMethods(type, (Method m) -> annotation(m, LeaderOnly.class));
        guarded.forEach((method, annotation) -> {
            checkGuarded(method);
            elections.declare(annotation.getString("value"), where(method));
        });
        if (!guarded.isEmpty()) {
            checkProxied(bean, type);
        }
        MethodIntrospector.selectMethods(type, (Method m) -> annotation(m, OnElected.class))
                .forEach((method, annotation) -> elections
                        .declare(annotation.getString("value"), where(method))
                        .onElected(call(bean, method, OnElected.class, List.of(Leadership.class))));
        MethodIntrospector.selectMethods(type, (Method m) -> annotation(m, OnRevoked.class))
                .forEach((method, annotation) -> elections
                        .declare(annotation.getString("value"), where(method))
                        .onRevoked(call(bean, method, OnRevoked.class, List.of(Leadership.class, LossCause.class))));
    }

    private static <A extends Annotation> @Nullable MergedAnnotation<A> annotation(Method method, Class<A> type) {
        if (!AnnotatedElementUtils.hasAnnotation(method, type)) {
            return null;
        }
        return MergedAnnotations.from(method, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
                .get(type);
    }

    private static void checkGuarded(Method method) {
        Class<?> result = method.getReturnType();
        if (result.isPrimitive() && result != void.class) {
            throw new DoyenRefusedException("@LeaderOnly is on " + where(method) + ", which returns " + result
                    + ": a skipped call has no such value; return Optional, or a type that can be null");
        }
        if (KotlinDetector.isSuspendingFunction(method) && !isReactive(method)) {
            throw new DoyenRefusedException("@LeaderOnly is on " + where(method)
                    + ", a suspend function, which Spring intercepts only with kotlinx-coroutines-reactor; add"
                    + " org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
        }
        boolean later = Future.class.isAssignableFrom(result) || LATER.stream().anyMatch(result.getName()::startsWith);
        if (later && !CompletionStage.class.isAssignableFrom(result) && !isReactive(method)) {
            throw new DoyenRefusedException(
                    "@LeaderOnly is on " + where(method) + ", which returns " + result.getSimpleName()
                            + ": the end of its work cannot be observed; return void after the work, or a"
                            + " CompletionStage, Mono or Flux");
        }
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw new DoyenRefusedException("@LeaderOnly is on " + where(method) + ", which is "
                    + Modifier.toString(modifiers)
                    + " and cannot be proxied, so it would also run on followers; make it"
                    + " an ordinary method");
        }
    }

    /**
     * Rejects a bean that Spring created before the advice of {@link LeaderOnly} existed. The methods of this bean
     * would also run on followers.
     */
    private void checkProxied(String bean, Class<?> type) {
        Object made = beans.containsSingleton(bean) ? beans.getSingleton(bean) : null;
        if (made == null || !(type.isInstance(made) || AopUtils.isAopProxy(made))) {
            return;
        }
        boolean advised = made instanceof Advised proxy
                ? Arrays.stream(proxy.getAdvisors()).anyMatch(a -> a.getAdvice() instanceof LeaderOnlyInterceptor)
                : AopUtils.isAopProxy(made);
        if (!advised) {
            throw new DoyenRefusedException("bean \"" + bean + "\" (" + type.getName()
                    + ") has @LeaderOnly, but was created before its advice and would also run on followers; let no"
                    + " BeanPostProcessor depend on it, or make it lazy there");
        }
    }

    private ElectionCall call(
            String bean, Method method, Class<? extends Annotation> annotation, List<Class<?>> allowed) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (!Leadership.class.isAssignableFrom(parameter)
                    && allowed.stream().noneMatch(parameter::isAssignableFrom)) {
                throw new DoyenRefusedException("@" + annotation.getSimpleName() + " is on " + where(method)
                        + ", which has a parameter of type " + parameter.getName() + "; it can have "
                        + String.join(
                                " and ",
                                allowed.stream().map(Class::getSimpleName).toList()));
            }
        }
        return new BeanMethod(bean, method);
    }

    private static String where(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    /** A method of a bean. Each call gets the bean from the factory, because the bean can be lazy or scoped. */
    private final class BeanMethod implements ElectionCall {
        private final String bean;
        private final Method method;

        BeanMethod(String bean, Method method) {
            this.bean = bean;
            this.method = method;
        }

        @Override
        public void call(Leadership leadership, Optional<LossCause> cause) throws Exception {
            Object target = beans.getBean(bean);
            Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
            invocable.setAccessible(true);
            invocable.invoke(
                    target,
                    Arrays.stream(method.getParameterTypes())
                            .map(type -> argument(type, leadership, cause))
                            .toArray());
        }

        private @Nullable Object argument(Class<?> type, Leadership leadership, Optional<LossCause> cause) {
            if (type.isInstance(leadership)) {
                return leadership;
            }
            if (Leadership.class.isAssignableFrom(type)) {
                throw new DoyenRefusedException(where(method) + " has a parameter of type " + type.getName()
                        + ", but its election provides " + leadership + "; use " + Leadership.class.getName());
            }
            return cause.orElse(null);
        }

        @Override
        public String toString() {
            return where(method);
        }
    }
}
