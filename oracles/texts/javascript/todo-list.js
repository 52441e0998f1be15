var app = app || {};

(function ($, _) {

    var ENTER_KEY = 13,
        ESCAPE_KEY = 27;

    // --- model ---------------------------------------------------------

    function Todo(title) {
        this.id = Todo.nextId++;
        this.title = title;
        this.completed = false;
    }
    Todo.nextId = 1;

    Todo.prototype.toggle = function() { this.completed = !this.completed; return this; }

    Todo.prototype.toString = function() {
        return '<li data-id="' + this.id + '"' +
            (this.completed ? ' class="completed"' : '') + '>' +
            escape(this.title) + '<\/li>';
    };

    function escape(text) {
        var entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
        return String(text).replace(/[&<>"']/g, function(c) { return entities[c] });
    }

    // --- storage -------------------------------------------------------

    var Store = function(name) {
        var self = this;
        self.name = name;
        self.load = function() {
            var text = window.localStorage && localStorage.getItem(self.name);
            return text ? JSON.parse(text) : [];
        };
        self.save = function(todos) {
            try {
                localStorage.setItem(self.name, JSON.stringify(todos));
            }
            catch (e) {
                // the quota may be exceeded
                if (e.name != 'QuotaExceededError')
                    throw e;
            }
        };
    };

    // --- view ----------------------------------------------------------

    app.View = function (store) {
        this.todos = store.load();
        this.filter = 'all';
        this.bind();
    };

    $.extend(app.View.prototype, {
        bind: function () {
            var that = this;
            $('#new-todo').on('keydown', function (event) {
                var key = event.which || event.keyCode, value = $(this).val().trim();
                if (key !== ENTER_KEY || !value) {
                    return;
                }
                that.todos.push(new Todo(value));
                $(this).val('');
                that.render();
            }).on('blur', function () { $(this).removeClass('active') });

            $(document).on('keyup', function (e) { if (e.which == ESCAPE_KEY) that.render(); });

            $('.filters a').click(function () {
                that.filter = this.hash.replace(/^#\/?/, '') || 'all';
                that.render();
                return false;
            });
        },

        visible: function () {
            var filter = this.filter;
            return this.todos.filter(function (todo) {
                return filter === 'all' ? true
                    : filter === 'active' ? !todo.completed
                    : todo.completed;
            });
        },

        render: function () {
            var left = 0, i, html = [];
            for (i = this.todos.length; i--;) if (!this.todos[i].completed) left++;
            $.each(this.visible(), function (index, todo) { html[index] = todo.toString(); });
            $('#list').html(html.join('\n'))
                      .toggle(html.length > 0);
            $('#count').text(left + ' item' + (left === 1 ? '' : 's') + ' left');
        }
    });

    $(function () {
        app.view = new app.View(new Store('todos'));
        app.view.render();
    });

}(jQuery, window._));
