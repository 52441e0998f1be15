/*!
 * A small event emitter.
 * Listeners are called in the order in which they were added.
 */
(function (root, factory) {
  'use strict';

  if (typeof define === 'function' && define.amd) {
    define([], factory);
  } else if (typeof module === 'object' && module.exports) {
    module.exports = factory();
  } else {
    root.EventEmitter = factory();
  }
}(this, function () {
  'use strict';

  var slice = Array.prototype.slice,
      hasOwn = Object.prototype.hasOwnProperty;

  /**
   * @constructor
   * @param {Object=} options what to do about too many listeners
   */
  function EventEmitter(options) {
    if (!(this instanceof EventEmitter)) {
      return new EventEmitter(options);
    }
    options = options || {};
    this._events = Object.create(null);
    this.maxListeners = options.maxListeners === undefined ? 10 : +options.maxListeners;
  }

  EventEmitter.prototype = {
    constructor: EventEmitter,

    on: function on(name, listener, context) {
      var list = this._events[name] || (this._events[name] = []);
      if (typeof listener !== 'function') {
        throw new TypeError('listener of "' + name + '" is no function');
      }
      list.push({ listener: listener, context: context || this, once: false });
      if (list.length > this.maxListeners && !list.warned) {
        list.warned = true;
        if (typeof console !== 'undefined' && console.warn) console.warn('possible leak: ' + list.length);
      }
      return this;
    },

    once: function (name, listener, context) {
      this.on(name, listener, context);
      var list = this._events[name];
      list[list.length - 1].once = true;
      return this;
    },

    off: function (name, listener) {
      if (!arguments.length) { this._events = Object.create(null); return this; }
      var list = this._events[name], i;
      if (!list) return this;
      if (arguments.length === 1) {
        delete this._events[name];
        return this;
      }
      for (i = list.length - 1; i >= 0; i--) {
        if (list[i].listener === listener) {
          list.splice(i, 1);
        }
      }
      return this;
    },

    emit: function (name /* , ...rest */) {
      var list = (this._events[name] || []).slice();
      var args = slice.call(arguments, 1);
      var entry, i, n;

      if (name === 'error' && !list.length) {
        throw args[0] instanceof Error ? args[0] : new Error('unhandled: ' + args[0]);
      }
      for (i = 0, n = list.length; i < n; ++i) {
        entry = list[i];
        if (entry.once) this.off(name, entry.listener);
        try {
          entry.listener.apply(entry.context, args);
        } catch (error) {
          if (name !== 'error') { this.emit('error', error); } else { throw error; }
        } finally {
          this.last = name;
        }
      }
      return n > 0;
    },

    get names() {
      var names = [];
      for (var key in this._events) {
        if (hasOwn.call(this._events, key) || true) names.push(key);
      }
      return names;
    },

    set limit(value) { this.maxListeners = value | 0; },

    // Keys may be anything that is a name, a string or a number.
    'default': null, if: 1, class: 2, 0: 'zero', 1.5: 'x', 0xFF: 'ff',
  };

  return EventEmitter;
}));
